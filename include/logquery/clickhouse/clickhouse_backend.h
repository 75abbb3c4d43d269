// Logs that stand in ClickHouse: it is asked for what it does with exactly GoogleSQL's meaning (scans with conditions, sorted and
// limited rows, groups), and DuckDB, in memory in this process, does everything else. Link logquery::clickhouse.
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
// Only reads are sent, over HTTP. docs/clickhouse.md has the user and its grants, the layout of tables, and what travels.
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

// Where a declared table stands in the server. Each declared column is a column of the server; a record is JSON text in a String,
// a JSON, a Tuple or a Map.
struct ClickHouseTable {
  std::string name;           // as queries name it and the schema declares it: "cloudflare.logs.prod"
  std::string database = {};  // of the server; empty: that of the options
  std::string table = {};     // in that database: a table or a view, distributed or not
  std::map<std::string, std::string> columns = {};  // our column → the server's, where the names differ
  // A field of a record, by its path → the server's column that has the same value: conditions on it are asked of that column.
  std::map<std::string, std::string> fields = {};
  // A record, by its path → the server's Bool column that says whether it is there.
  std::map<std::string, std::string> presence = {};
};

struct ClickHouseOptions {
  std::vector<std::string> hosts;  // of the HTTP interface, in the order of preference: "https://ch1.internal:8443"
  std::string database = "default";
  std::string user;
  std::string password = {};
  std::string ca_file = {};           // of the authorities that are trusted; empty: the system's
  std::string certificate_file = {};  // of the client; empty: none
  std::string key_file = {};
  std::string proxy = {};   // "http://proxy:3128"; empty: none
  bool compression = true;  // of answers
  // A user who may read from elsewhere through the server (file(), url(), s3() …) is refused, unless this is true.
  bool allow_sources = false;

  std::vector<ClickHouseTable> tables;  // at least one
  std::string schema_json = {};  // declares the tables (lib/model/log_schema.json is one); empty: the built-in logs

  int max_connections = 16;                            // requests at one time
  absl::Duration connect_timeout = absl::Seconds(10);  // also how long a query waits for its turn
  absl::Duration statement_timeout =
      absl::Minutes(5);  // of each statement, at the server; a call's own limit cancels it earlier
  int64_t max_server_memory_bytes = 4LL << 30;   // of each statement, at the server
  int64_t max_rows_to_read = 1'000'000'000'000;  // of each statement, at the server
  int64_t max_fragment_rows = 10'000'000;        // that one part of a query may send; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
};

// Strict: every key that is not known is an error. Secrets are named, not written:
//
//     {"engine": "clickhouse", "hosts": ["https://ch1.internal:8443"], "database": "logs", "user": "logquery_reader",
//      "password": {"file": "/run/secrets/ch"},                    or {"env": "CH_PASSWORD"}; the last newline is not part of it
//      "ca_file": "/etc/ssl/ch.pem", "certificate_file": …, "key_file": …, "proxy": …, "compression": true,
//      "allow_sources": false, "schema_file": "/etc/logquery/schema.json",       absent: the built-in logs
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000, "server_memory_bytes": 4294967296,
//      "rows_to_read": 1000000000000, "fragment_rows": 10000000, "fragment_bytes": 4294967296,
//      "memory_limit_mb": 2048, "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "edge_logs", "database": "logs", "columns": {"project": "tenant"},
//                                          "fields": {"metadata.response.status_code": "status_code"},
//                                          "presence": {"metadata": "has_metadata"}}}}
//
// Needed: hosts, user, tables, and of each table its table. Relative names of files are taken from `folder`; empty: from the
// working directory. InvalidArgument: not JSON, an unknown key or value, with line and column; a secret or file that can't be read.
absl::StatusOr<ClickHouseOptions> ClickHouseOptionsFromJson(std::string_view text, const std::string& folder = "");

// Connects, and compares the tables with their declaration. Thread-safe; servers may go and come back.
//   InvalidArgument      options that can't be used, naming the one
//   FailedPrecondition   the server refuses the user, or a setting that the backend counts on; its certificate is not trusted; the
//                        user may read from elsewhere; a table or column is missing, is of another type, or may not be read: all
//                        of them, by name
//   Unavailable          no host can be reached
// Calls answer Execute's statuses; what the server says is in Internal alone, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenClickHouse(const ClickHouseOptions& options);

// What an operator should know of the server and its user, a sentence each: that the user may write, create, or stop queries of
// others. Empty: nothing. OpenClickHouse's statuses.
absl::StatusOr<std::vector<std::string>> CheckClickHouse(const ClickHouseOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_CLICKHOUSE_CLICKHOUSE_BACKEND_H_
