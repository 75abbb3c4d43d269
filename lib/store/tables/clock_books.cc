// Keeps one row, whose time never goes back.
#include "lib/store/tables/clock_books.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"

namespace logquery::store {
namespace {

constexpr char kMakeClock[] =
    "CREATE TABLE IF NOT EXISTS logquery.clock(seen TIMESTAMP);"
    "INSERT INTO logquery.clock SELECT coalesce((SELECT max(loaded_at) FROM logquery.loads), now()::TIMESTAMP)"
    " WHERE NOT EXISTS (SELECT 1 FROM logquery.clock)";

}  // namespace

absl::Status EnsureClock(duckdb_connection connection) { return duckdb::Run(connection, kMakeClock); }

absl::Status FollowClock(duckdb_connection connection) {
  // This is not done each time that the folder is opened: an hour more or less does not matter.
  return duckdb::Run(connection,
                     base::StrCat("UPDATE logquery.clock SET seen = now()::TIMESTAMP WHERE seen + INTERVAL 1 HOUR <"
                                  " now()::TIMESTAMP AND seen + INTERVAL ",
                                  absl::StrCat(absl::ToInt64Hours(kMaxClockStep)), " HOUR >= now()::TIMESTAMP"));
}

absl::StatusOr<absl::Time> ReadClock(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, "SELECT epoch_us(max(seen)) FROM logquery.clock"));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t seen, duckdb::NumberIn(rows.empty() ? "" : rows[0][0]));
  return absl::FromUnixMicros(seen);
}

absl::Status AdvanceClock(duckdb_connection connection, absl::Time now) {
  const std::string time = duckdb::TimeSql(now);
  return duckdb::Run(connection, base::StrCat("UPDATE logquery.clock SET seen = ", time, " WHERE seen < ", time));
}

}  // namespace logquery::store
