// Logs that stand in PostgreSQL: it is asked for what it does with exactly GoogleSQL's meaning (scans with conditions, sorted and
// limited rows, groups), and DuckDB, in memory in this process, does everything else. Link logquery::postgres.
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
// Only reads are sent, in read-only transactions. docs/postgres.md has the roles and grants, the layouts, and what travels.
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

// Where a declared table stands in the server.
struct PostgresTable {
  enum class Layout {
    kColumns,   // a column of the server for each of ours; records, arrays and JSON are jsonb
    kLogflare,  // columns id, timestamp and event_message; everything else is a key of the jsonb column `body`
  };
  std::string name;               // as queries name it and the schema declares it: "cloudflare.logs.prod"
  std::string schema = "public";  // of the server
  std::string table = {};         // in that schema: a table or a view
  Layout layout = Layout::kColumns;
  std::map<std::string, std::string> columns = {};  // our column → the server's, where the names differ
  std::string body = "body";                        // kLogflare: the jsonb column
};

struct PostgresOptions {
  std::string host;  // a name, an address, or the folder of a Unix socket, which begins with a slash
  int port = 5432;
  std::string database;
  std::string user;
  std::string password = {};  // empty: what PGPASSWORD says, or none
  // What TLS has to prove, on all but Unix sockets: "verify-full", "verify-ca", "require", or "disable".
  std::string tls = "verify-full";
  std::string ca_file = {};           // of the authorities that verify-… trusts; empty: libpq's own file
  std::string certificate_file = {};  // of the client; empty: none
  std::string key_file = {};

  std::vector<PostgresTable> tables;  // at least one
  std::string schema_json = {};  // declares the tables (lib/model/log_schema.json is one); empty: the built-in logs

  int max_connections = 16;                            // to the server
  absl::Duration connect_timeout = absl::Seconds(10);  // also how long a query waits for a free connection
  absl::Duration statement_timeout =
      absl::Minutes(5);                    // of each statement, at the server; a call's own limit cancels it earlier
  int64_t max_fragment_rows = 10'000'000;  // that one part of a query may send; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
};

// Strict: every key that is not known is an error. Secrets are named, not written:
//
//     {"engine": "postgres", "host": "db.internal", "port": 5432, "database": "logs", "user": "logquery_reader",
//      "password": {"file": "/run/secrets/pg"},                    or {"env": "PG_PASSWORD"}; the last newline is not part of it
//      "tls": "verify-full", "ca_file": "/etc/ssl/pg.pem", "certificate_file": …, "key_file": …,
//      "schema_file": "/etc/logquery/schema.json",                 absent: the built-in logs
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000,
//      "fragment_rows": 10000000, "fragment_bytes": 4294967296, "memory_limit_mb": 2048, "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "log_events_5f1c", "schema": "public", "layout": "logflare", "body": "body",
//                                          "columns": {"project": "tenant"}}}}
//
// Needed: host, database, user, tables, and of each table its table. Relative names of files are taken from `folder`; empty: from
// the working directory. InvalidArgument: not JSON, an unknown key or value, with line and column; a secret or file that can't be
// read.
absl::StatusOr<PostgresOptions> PostgresOptionsFromJson(std::string_view text, const std::string& folder = "");

// Connects, and compares the tables with their declaration. Thread-safe; the server may go and come back.
//   InvalidArgument      options that can't be used, naming the one
//   FailedPrecondition   the server refuses the user; it is older than 13 or not UTF8; a table or column is missing, is of
//                        another type, or may not be read: all of them, by name
//   Unavailable          it can't be reached
// Calls answer Execute's statuses; what the server says is in Internal alone, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenPostgres(const PostgresOptions& options);

// What an operator should know of the server and its role, a sentence each: that the role is a superuser, may write to a mapped
// table, or may create. Empty: nothing. OpenPostgres's statuses.
absl::StatusOr<std::vector<std::string>> CheckPostgres(const PostgresOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_POSTGRES_POSTGRES_BACKEND_H_
