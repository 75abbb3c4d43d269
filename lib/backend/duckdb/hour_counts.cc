#include "lib/backend/duckdb/hour_counts.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::duckdb {
namespace {

// Counting is to take no more than a thousandth of the time.
constexpr int kRest = 1'000;
constexpr absl::Duration kShortestRest = absl::Seconds(10);

absl::StatusOr<std::shared_ptr<const HourCounts>> Count(const Table& table, duckdb_connection connection) {
  const std::string& name = table.storage_name.empty() ? table.name : table.storage_name;
  LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows,
                            Query(connection, base::StrCat("SELECT epoch_us(", QuoteName(table.time_column),
                                                           ") // 3600000000 AS hour, count(*) FROM ", QuoteName(name),
                                                           " GROUP BY hour ORDER BY hour DESC")));
  std::vector<std::pair<int64_t, int64_t>> hours;
  for (const std::vector<std::string>& row : rows) {
    int64_t hour = 0;
    int64_t count = 0;
    // An hour that is NULL holds rows without a time: no window ever reaches them.
    if (absl::SimpleAtoi(row[0], &hour) && absl::SimpleAtoi(row[1], &count)) hours.emplace_back(hour, count);
  }
  return std::make_shared<const HourCounts>(std::move(hours));
}

}  // namespace

absl::Time HourCounts::FloorOf(int64_t rows, absl::Time end) const {
  const absl::Time epoch = absl::UnixEpoch();
  int64_t left = rows;
  for (const auto& [hour, count] : hours_) {
    const absl::Time start = epoch + absl::Hours(hour);
    if (start > end) continue;
    // Within an hour rows are taken to lie evenly.
    const absl::Duration span = std::min(absl::Hours(1), end - start);
    const double there = static_cast<double>(count) * absl::FDivDuration(span, absl::Hours(1));
    if (there >= static_cast<double>(left)) return start + span - span * (static_cast<double>(left) / there);
    left -= static_cast<int64_t>(there);
  }
  return absl::InfinitePast();
}

absl::StatusOr<std::shared_ptr<const HourCounts>> HourCountsCache::Get(const Table& table, duckdb_connection connection,
                                                                       const DataVersion::Stamp& stamp) {
  const absl::Duration start = Clock::Real()->Monotonic();
  {
    absl::MutexLock lock(&mutex_);
    auto kept = kept_.find(table.name);
    if (kept != kept_.end() && (kept->second.stamp == stamp || start < kept->second.good_until)) {
      return kept->second.counts;
    }
    // Others meanwhile go on with the old counts.
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

}  // namespace logquery::duckdb
