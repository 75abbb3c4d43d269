// Counts with one query per table, and limits the time spent on counting to a thousandth.
#include "lib/store/tables/hour_counts.h"

#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

// Counting must not take more than a thousandth of the time.
constexpr int kRest = 1'000;
constexpr absl::Duration kShortestRest = absl::Seconds(10);

absl::StatusOr<std::shared_ptr<const HourCounts>> Count(const Table& table, duckdb_connection connection) {
  const std::string& name = table.storage_name.empty() ? table.name : table.storage_name;
  const std::string time = duckdb::QuoteName(table.time_column);
  // Rows without a time are left out: no window ever reaches them.
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, base::StrCat("SELECT epoch_us(min(", time, ")), epoch_us(max(",
                                                                   time, ")), count(*) FROM ", duckdb::QuoteName(name),
                                                                   " WHERE ", time, " IS NOT NULL GROUP BY epoch_us(",
                                                                   time, ") // 3600000000 ORDER BY 1 DESC")));
  std::vector<HourCounts::Hour> hours;
  hours.reserve(rows.size());
  for (const std::vector<std::string>& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t first, duckdb::NumberIn(row[0]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t last, duckdb::NumberIn(row[1]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, duckdb::NumberIn(row[2]));
    hours.push_back({absl::FromUnixMicros(first), absl::FromUnixMicros(last), count});
  }
  return std::make_shared<const HourCounts>(std::move(hours));
}

}  // namespace

absl::Time HourCounts::FloorOf(int64_t rows, absl::Time end) const {
  int64_t left = rows;
  for (const Hour& hour : hours_) {
    if (hour.first > end) continue;
    // Rows are assumed to be evenly distributed within an hour, between its first and its last row.
    const absl::Duration whole = hour.last - hour.first;
    const absl::Duration span = std::min(whole, end - hour.first);
    const double part = whole > absl::ZeroDuration() ? absl::FDivDuration(span, whole) : 1;
    const double there = static_cast<double>(hour.rows) * part;
    if (there >= static_cast<double>(left)) return hour.first + span - span * (static_cast<double>(left) / there);
    left -= static_cast<int64_t>(there);
  }
  return absl::InfinitePast();
}

absl::StatusOr<std::shared_ptr<const HourCounts>> HourCountsCache::Get(const Table& table, duckdb_connection connection,
                                                                       const duckdb::DataVersion::Stamp& stamp) {
  const absl::Duration start = Clock::Real()->Monotonic();
  {
    absl::MutexLock lock(&mutex_);
    auto kept = kept_.find(table.name);
    if (kept != kept_.end() && (kept->second.stamp == stamp || start < kept->second.good_until)) {
      return kept->second.counts;
    }
    // Other callers meanwhile go on with the old counts.
    if (kept != kept_.end()) kept->second.good_until = absl::InfiniteDuration();
  }
  absl::StatusOr<std::shared_ptr<const HourCounts>> counts = Count(table, connection);
  const absl::Duration end = Clock::Real()->Monotonic();
  absl::MutexLock lock(&mutex_);
  if (!counts.ok()) {
    kept_.erase(table.name);
    return counts;
  }
  kept_[table.name] = {*counts, stamp, end + std::max(kShortestRest, (end - start) * kRest)};
  return counts;
}

}  // namespace logquery::store
