// A backend for logs that are stored in PostgreSQL. PostgreSQL runs the parts of a query for which it has exactly
// GoogleSQL's meaning (scans with conditions, sorted and limited rows, groups); DuckDB, in memory in this process, runs
// the rest. Link logquery::postgres.
//
//     logquery::PostgresOptions options;
//     options.host = "db.internal";
//     options.database = "logs";
//     options.user = "logquery_reader";
//     options.password = …;
//     options.tables = {{.name = "cloudflare.logs.prod", .table = "log_events_5f1c",
//                        .layout = logquery::PostgresTable::Layout::kLogflare}};
//     auto backend = logquery::OpenPostgres(options);
//
// The backend sends only reads, in read-only transactions. docs/postgres.md describes the roles and grants, the
// layouts, and which data is transferred.
#ifndef LOGQUERY_POSTGRES_POSTGRES_BACKEND_H_
#define LOGQUERY_POSTGRES_POSTGRES_BACKEND_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/remote_backend.h"

namespace logquery {

// The place of a declared table on the server.
struct PostgresTable {
  enum class Layout {
    kColumns,   // one column of the server for each of ours; records, arrays and JSON are jsonb
    kLogflare,  // columns id, timestamp and event_message; all else is keys of the jsonb column `body`
  };
  std::string name;               // name in queries and in the schema: "cloudflare.logs.prod"
  std::string schema = "public";  // on the server
  std::string table = {};         // a table or a view in that schema
  Layout layout = Layout::kColumns;
  std::map<std::string, std::string> columns = {};  // our column → the server's column, where the names differ
  std::string body = "body";                        // kLogflare: the jsonb column
};

struct PostgresOptions {
  std::string host;  // a name, an address, or the folder of a Unix socket, which starts with a slash
  int port = 5432;
  std::string database;
  std::string user;
  std::string password = {};  // empty: the value of PGPASSWORD, if set
  // The TLS verification, except on Unix sockets: "verify-full", "verify-ca", "require" or "disable".
  std::string tls = "verify-full";
  std::string ca_file = {};           // certificate authorities for verify-…; empty: libpq's own file
  std::string certificate_file = {};  // client certificate; empty: none
  std::string key_file = {};

  std::vector<PostgresTable> tables;  // at least one
  std::string schema_json = {};       // declares the tables (see lib/model/log_schema.json); empty: the built-in logs

  int max_connections = 16;                            // to the server
  absl::Duration connect_timeout = absl::Seconds(10);  // also limits how long a query waits for a connection
  absl::Duration statement_timeout =
      // Per statement, enforced by the server; a call's own limit cancels it earlier.
      absl::Minutes(5);
  int64_t max_fragment_rows = 10'000'000;  // from one part of a query; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
};

// Parses options from JSON. Unknown keys are errors. The JSON names the place of a secret instead of containing it:
//
//     {"engine": "postgres", "host": "db.internal", "port": 5432, "database": "logs", "user": "logquery_reader",
//      "password": {"file": "/run/secrets/pg"},             or {"env": "PG_PASSWORD"}; a final newline is dropped
//      "tls": "verify-full", "ca_file": "/etc/ssl/pg.pem", "certificate_file": …, "key_file": …,
//      "schema_file": "/etc/logquery/schema.json",                 absent: the built-in logs
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000,
//      "fragment_rows": 10000000, "fragment_bytes": 4294967296, "memory_limit_mb": 2048, "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "log_events_5f1c", "schema": "public", "layout": "logflare",
//                                          "body": "body", "columns": {"project": "tenant"}}}}
//
// Required: host, database, user, tables, and `table` in each table. Relative file names are resolved against `folder`;
// empty: the working directory. InvalidArgument: text that is not JSON, an unknown key or value (with line and column),
// or a secret or file that can't be read.
absl::StatusOr<PostgresOptions> PostgresOptionsFromJson(std::string_view text, const std::string& folder = "");

// Connects, and compares the tables with their declaration. Returns a thread-safe backend; the server may fail and
// recover later.
//   InvalidArgument      the options can't be used; the message names the option
//   FailedPrecondition   the server rejects the user, is older than 13 or not UTF8; tables or columns are missing, have
//                        another type or are not readable (the message lists all of them)
//   Unavailable          the server can't be reached
// Queries return Execute's statuses. The server's own messages appear only in Internal, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenPostgres(const PostgresOptions& options);

// Returns remarks for operators on the server and its role, one sentence each, for example that the role is a
// superuser, may write to a mapped table, or may create objects. Statuses: those of OpenPostgres.
absl::StatusOr<std::vector<std::string>> CheckPostgres(const PostgresOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_POSTGRES_POSTGRES_BACKEND_H_
