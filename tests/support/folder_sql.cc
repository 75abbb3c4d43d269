// Opens the folder's database without the store.
#include "tests/support/folder_sql.h"

#include "absl/strings/str_cat.h"
#include "lib/engines/duckdb/backend/database.h"

namespace logquery::testing {

bool RunInFolder(const std::string& folder, const std::string& statement) {
  duckdb::DatabaseOptions options;
  options.file = folder + "/logs.duckdb";
  const auto database = duckdb::Database::Open(options);
  if (!database.ok()) return false;
  const auto connection = database->Connect();
  return connection.ok() && duckdb::Run(connection->get(), statement).ok();
}

bool TurnClockBack(const std::string& folder, int days) {
  return RunInFolder(folder, absl::StrCat("UPDATE logquery.clock SET seen = seen - INTERVAL ", days, " DAY"));
}

}  // namespace logquery::testing
