// Forwards rows, and measures the time that the next sink spends on them.
#ifndef LOGQUERY_LIB_ENDPOINT_TIMED_SINK_H_
#define LOGQUERY_LIB_ENDPOINT_TIMED_SINK_H_

#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/clock.h"

namespace logquery::endpoint {

class TimedSink : public BatchSink {
 public:
  // Both pointers are borrowed.
  TimedSink(const Clock* clock, BatchSink* next) : clock_(clock), next_(next) {}

  absl::Status Append(const Batch& batch) override {
    const absl::Duration start = clock_->Monotonic();
    absl::Status status = next_->Append(batch);
    time_ += clock_->Monotonic() - start;
    return status;
  }
  absl::Duration time() const { return time_; }

 private:
  const Clock* const clock_;
  BatchSink* const next_;
  absl::Duration time_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TIMED_SINK_H_
