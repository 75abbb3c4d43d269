// The spans of one request: a span for the request itself, and a child for each step of its call.
//
// A step may end after the request was answered; its span is then handed over by itself. Thread-safe.
#ifndef LOGQUERY_SHIM_OBSERVE_REQUEST_TRACE_H_
#define LOGQUERY_SHIM_OBSERVE_REQUEST_TRACE_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/call_trace.h"
#include "logquery/clock.h"
#include "shim/observe/span.h"
#include "shim/observe/trace_context.h"

namespace logquery::shim {

// The most steps of a call: one that waits for other calls again and again records no more.
inline constexpr int kMaxSteps = 100;

class RequestTrace : public CallTrace {
 public:
  using TakeSpans = std::function<void(std::vector<Span>)>;

  // The request is the context's span. The clock is borrowed.
  RequestTrace(TraceContext context, TakeSpans take, const Clock* clock);

  const TraceContext& context() const { return context_; }

  int Begin(CallStep step) noexcept override;
  void End(int step, const CallStepEnd& end) noexcept override;
  std::string Traceparent(int step) const override;

  // The request was answered. `request` has the span's name, attributes and outcome; it began and ended at these times of
  // the clock's Monotonic.
  void Finish(Span request, absl::Duration begin, absl::Duration end);

 private:
  struct Step {
    CallStep step;
    std::string span_id;
    absl::Duration start;  // as Clock::Monotonic
  };

  Span SpanOf(const Step& step, const CallStepEnd& end) const;
  // The time of day of that moment.
  absl::Time At(absl::Duration monotonic) const { return begin_ + (monotonic - begin_monotonic_); }

  const TraceContext context_;
  const TakeSpans take_;
  const Clock* const clock_;
  const absl::Duration begin_monotonic_;
  const absl::Time begin_;
  mutable absl::Mutex mutex_;
  std::vector<Step> steps_ ABSL_GUARDED_BY(mutex_);
  std::vector<Span> ended_ ABSL_GUARDED_BY(mutex_);  // until the request is finished
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_REQUEST_TRACE_H_
