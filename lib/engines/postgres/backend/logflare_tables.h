// Reads what Logflare's PostgreSQL backend has stored: a table for each source, log_events_UUID with the columns id, timestamp,
// event_message and body, which is the event as jsonb; and the sources' names, where its own tables are in the same schema.
//
//     LOGQUERY_ASSIGN_OR_RETURN(auto server, LogflareTables::Connect(options));
//     LOGQUERY_ASSIGN_OR_RETURN(std::vector<LogflareTable> tables, server->List(""));
//     LOGQUERY_ASSIGN_OR_RETURN(std::vector<LogflareDay> days, server->Days(tables[0]));
//     server->Rows(tables[0], days[0], [](std::string_view row) { … });
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LOGFLARE_TABLES_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LOGFLARE_TABLES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/engines/postgres/backend/connection.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

struct LogflareTable {
  std::string schema;
  std::string table;   // "log_events_0f3c…", with _ in place of -
  std::string uuid;    // the source's
  std::string source;  // its name; empty: unknown
  // Why its rows can't be read: columns are missing, or the role may not. Empty: they can.
  std::string problem;
};

struct LogflareDay {
  std::string day;  // "2026-01-15"; empty: the rows without a time of the calendar
  int64_t rows = 0;
};

// One session that only reads. Not thread-safe.
class LogflareTables {
 public:
  // Statuses: those of Connection::Open.
  static absl::StatusOr<std::unique_ptr<LogflareTables>> Connect(const PostgresOptions& options);

  // Returns all tables, ordered by schema and source; with `schema`, only those of that schema. `notes` receives what
  // could not be determined, such as names.
  absl::StatusOr<std::vector<LogflareTable>> List(const std::string& schema, std::vector<std::string>& notes);
  // The days that have rows now, oldest first.
  absl::StatusOr<std::vector<LogflareDay>> Days(const LogflareTable& table);
  // Passes on each row of the day as JSON: the event, with id, timestamp (microseconds) and event_message from their columns. An
  // event that is no object is the field `body`. Ends when `take` fails, with its status.
  absl::Status Rows(const LogflareTable& table, const LogflareDay& day,
                    absl::FunctionRef<absl::Status(std::string_view row)> take);

 private:
  using TextRow = std::vector<std::string>;

  explicit LogflareTables(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
  // The text columns of each row; NULL is empty.
  absl::StatusOr<std::vector<TextRow>> Ask(const std::string& sql);
  absl::Status Name(const std::string& schema, std::vector<LogflareTable>& tables, std::vector<std::string>& notes);

  std::unique_ptr<Connection> connection_;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LOGFLARE_TABLES_H_
