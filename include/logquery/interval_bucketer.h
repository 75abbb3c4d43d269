// Bucket timestamps for time series: the instants at which the buckets of a chart begin.
//
// An endpoint that draws a chart needs a row for every bucket, including those in which nothing happened. The bucketer
// creates the list of bucket starts that such a query joins with.
//
//     IntervalBucketer bucketer(&clock);
//     absl::StatusOr<std::vector<absl::Time>> starts = bucketer.Generate(1, "day_hour");
//     // 24 hourly starts; the last one is the hour that `clock` is in.
//
// Buckets are aligned to UTC: a day begins at 00:00 UTC whatever the machine's time zone. Daylight saving has no
// effect.
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
  // The most buckets per call. More would make an unreadable chart and an expensive join.
  static constexpr int kMaxBuckets = 10'000;

  explicit IntervalBucketer(const Clock* clock) : clock_(clock) {}

  // Returns the starts of the buckets that cover the last `count` units, in ascending order; the last bucket contains
  // the clock's now. `label` is `unit_step`, where each is one of second, minute, hour and day. For example,
  // "minute_second" makes buckets of one second over the last `count` minutes. The number of buckets is
  // count × unit ÷ step.
  //
  // InvalidArgument: an unknown label, a step longer than its unit, `count` below 1, more than kMaxBuckets.
  absl::StatusOr<std::vector<absl::Time>> Generate(int64_t count, std::string_view label) const {
    return Generate(count, label, clock_->Now());
  }
  // The same, for a given now.
  static absl::StatusOr<std::vector<absl::Time>> Generate(int64_t count, std::string_view label, absl::Time now);

 private:
  const Clock* clock_;
};

}  // namespace logquery

#endif  // LOGQUERY_INTERVAL_BUCKETER_H_
