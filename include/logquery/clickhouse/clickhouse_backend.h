// A backend for logs that are stored in ClickHouse. ClickHouse runs the parts of a query for which it has exactly
// GoogleSQL's meaning (scans with conditions, sorted and limited rows, groups); DuckDB, in memory in this process, runs
// the rest. Link logquery::clickhouse.
//
//     logquery::ClickHouseOptions options;
//     options.hosts = {"https://ch1.internal:8443", "https://ch2.internal:8443"};
//     options.database = "logs";
//     options.user = "logquery_reader";
//     options.password = …;
//     options.tables = {{.name = "cloudflare.logs.prod", .table = "edge_logs",
//                        .fields = {{"metadata.response.status_code", "status_code"}},
//                        .presence = {{"metadata", "has_metadata"}, {"metadata.response", "has_response"}}}};
//     auto backend = logquery::OpenClickHouse(options);
//
// The backend sends only reads, over HTTP. docs/clickhouse.md describes the user and its grants, the layout of tables,
// and which data is transferred.
#ifndef LOGQUERY_CLICKHOUSE_CLICKHOUSE_BACKEND_H_
#define LOGQUERY_CLICKHOUSE_CLICKHOUSE_BACKEND_H_

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

// The place of a declared table on the server. Each declared column is a column there; a record is JSON text in a
// String, a JSON, a Tuple or a Map.
struct ClickHouseTable {
  std::string name;                                 // name in queries and in the schema: "cloudflare.logs.prod"
  std::string database = {};                        // on the server; empty: ClickHouseOptions::database
  std::string table = {};                           // a table or a view in that database, distributed or not
  std::map<std::string, std::string> columns = {};  // our column → the server's column, where the names differ
  // Path of a record's field → the server's column with the same value. Conditions on the field use that column.
  std::map<std::string, std::string> fields = {};
  // Path of a record → the server's Bool column that says whether the record is present.
  std::map<std::string, std::string> presence = {};
  // "otel": the table has the rows of all logs in Logflare's OTel layout, and ClickHouse SQL reads it as `logs`: the columns id,
  // timestamp, event_message, severity_text, source, project and log_attributes, a Map(String, String). The schema does not declare
  // it, and at most one table has it. Empty: one log's rows, as the schema declares them.
  std::string layout = {};
};

struct ClickHouseOptions {
  std::vector<std::string> hosts;  // of the HTTP interface, in order of preference: "https://ch1.internal:8443"
  std::string database = "default";
  std::string user;
  std::string password = {};
  std::string ca_file = {};           // trusted certificate authorities; empty: the system's
  std::string certificate_file = {};  // client certificate; empty: none
  std::string key_file = {};
  std::string proxy = {};   // "http://proxy:3128"; empty: none
  bool compression = true;  // of responses
  // Unless this is true, OpenClickHouse rejects a user that can read other sources through the server (file(), url(),
  // s3() …).
  bool allow_sources = false;

  std::vector<ClickHouseTable> tables;  // at least one
  std::string schema_json = {};         // declares the tables (see lib/model/log_schema.json); empty: the built-in logs

  int max_connections = 16;                            // concurrent requests
  absl::Duration connect_timeout = absl::Seconds(10);  // also limits how long a query waits for a connection
  absl::Duration statement_timeout =
      // Per statement, enforced by the server; a call's own limit cancels it earlier.
      absl::Minutes(5);
  int64_t max_server_memory_bytes = 4LL << 30;   // per statement, enforced by the server
  int64_t max_rows_to_read = 1'000'000'000'000;  // per statement, enforced by the server
  int64_t max_fragment_rows = 10'000'000;        // from one part of a query; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
};

// Parses options from JSON. Unknown keys are errors. The JSON names the place of a secret instead of containing it:
//
//     {"engine": "clickhouse", "hosts": ["https://ch1.internal:8443"], "database": "logs", "user": "logquery_reader",
//      "password": {"file": "/run/secrets/ch"},                or {"env": "CH_PASSWORD"}; a final newline is dropped
//      "ca_file": "/etc/ssl/ch.pem", "certificate_file": …, "key_file": …, "proxy": …, "compression": true,
//      "allow_sources": false, "schema_file": "/etc/logquery/schema.json",       absent: the built-in logs
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000,
//      "server_memory_bytes": 4294967296, "rows_to_read": 1000000000000,
//      "fragment_rows": 10000000, "fragment_bytes": 4294967296, "memory_limit_mb": 2048, "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "edge_logs", "database": "logs", "columns": {"project": "tenant"},
//                                          "fields": {"metadata.response.status_code": "status_code"},
//                                          "presence": {"metadata": "has_metadata"}},
//                 "otel_logs": {"table": "otel_logs", "layout": "otel", "columns": {"source": "source_name"}}}}
//
// Required: hosts, user, tables, and `table` in each table. Relative file names are resolved against `folder`; empty:
// the working directory. InvalidArgument: text that is not JSON, an unknown key or value (with line and column), or a
// secret or file that can't be read.
absl::StatusOr<ClickHouseOptions> ClickHouseOptionsFromJson(std::string_view text, const std::string& folder = "");

// Connects, and compares the tables with their declaration. Returns a thread-safe backend; servers may fail and recover
// later.
//   InvalidArgument      the options can't be used; the message names the option
//   FailedPrecondition   the server rejects the user, or a setting that the backend requires; its certificate is not
//                        trusted; the user can read other sources; tables or columns are missing, have another type or
//                        are not readable (the message lists all of them)
//   Unavailable          no host can be reached
// Queries return Execute's statuses. The server's own messages appear only in Internal, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenClickHouse(const ClickHouseOptions& options);

// Returns remarks for operators on the server and its user, one sentence each, for example that the user may write,
// create, or stop other users' queries. Statuses: those of OpenClickHouse.
absl::StatusOr<std::vector<std::string>> CheckClickHouse(const ClickHouseOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_CLICKHOUSE_CLICKHOUSE_BACKEND_H_
