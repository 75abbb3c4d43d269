// Bucket timestamps for time series: the instants at which the buckets of a chart begin.
//
// An endpoint that draws a chart needs a row for every bucket, also for those in which nothing happened. The bucketer
// makes the list of bucket starts that such a query joins with.
//
//     IntervalBucketer bucketer(&clock);
//     absl::StatusOr<std::vector<absl::Time>> starts = bucketer.Generate(1, "day_hour");
//     // 24 hourly starts; the last one is the hour that `clock` is in.
//
// Buckets are aligned to UTC: a day begins at 00:00 UTC whatever the machine's zone. Daylight saving plays no part.
// Thread-safe: const after construction. The clock is borrowed and must outlive the bucketer.
#ifndef LOGQUERY_INTERVAL_BUCKETER_H_
#define LOGQUERY_INTERVAL_BUCKETER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"

namespace logquery {

class IntervalBucketer {
 public:
  // The most buckets that one call makes. More would be a chart that nobody can read, and a join that costs too much.
  static constexpr int kMaxBuckets = 10'000;

  explicit IntervalBucketer(const Clock* clock) : clock_(clock) {}

  // Returns the starts of the buckets that cover the last `count` units, ascending, the last one holding the clock's now.
  // `label` is `unit_step`, each one of second, minute, hour, day, for example "minute_second": buckets of a second over
  // the last `count` minutes. The number of buckets is count × unit ÷ step.
  //
  // InvalidArgument: an unknown label, a step longer than its unit, `count` below 1, more than kMaxBuckets.
  absl::StatusOr<std::vector<absl::Time>> Generate(int64_t count, std::string_view label) const {
    return Generate(count, label, clock_->Now());
  }
  // The same for a now that was read before.
  static absl::StatusOr<std::vector<absl::Time>> Generate(int64_t count, std::string_view label, absl::Time now);

 private:
  const Clock* clock_;
};

}  // namespace logquery

#endif  // LOGQUERY_INTERVAL_BUCKETER_H_
