// Forwards rows, measures the time that the next sink spends on them, and tells when the first ones arrive.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_TIMED_SINK_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_TIMED_SINK_H_

#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/clock.h"

namespace logquery::endpoint {

class TimedSink : public BatchSink {
 public:
  // Both pointers are borrowed. `first` is called before the first rows are passed on; it may be empty.
  TimedSink(const Clock* clock, BatchSink* next, std::function<void()> first = nullptr)
      : clock_(clock), next_(next), first_(std::move(first)) {}

  absl::Status Append(const Batch& batch) override {
    if (first_) std::exchange(first_, nullptr)();
    const absl::Duration start = clock_->Monotonic();
    absl::Status status = next_->Append(batch);
    time_ += clock_->Monotonic() - start;
    return status;
  }
  absl::Duration time() const { return time_; }

 private:
  const Clock* const clock_;
  BatchSink* const next_;
  std::function<void()> first_;
  absl::Duration time_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_TIMED_SINK_H_
