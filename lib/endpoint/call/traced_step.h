// One step of a call for the call's trace. Costs nothing if the call has no trace.
//
//     TracedStep step(call.spec.trace.get(), CallStep::kPlan);
//     …
//     step.End({.code = status.code()});
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_TRACED_STEP_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_TRACED_STEP_H_

#include <string>

#include "logquery/call_trace.h"

namespace logquery::endpoint {

class TracedStep {
 public:
  // A step that has not begun. `trace` is borrowed, and may be nullptr.
  TracedStep(CallTrace* trace, CallStep step, bool begins = true) : trace_(trace), step_(step) {
    if (begins) Begin();
  }
  // A step that has begun and was not ended ends as cancelled.
  ~TracedStep() { End({.code = absl::StatusCode::kCancelled}); }
  TracedStep(const TracedStep&) = delete;
  TracedStep& operator=(const TracedStep&) = delete;

  // No effect if it has begun.
  void Begin() {
    if (trace_ == nullptr || has_begun_) return;
    has_begun_ = true;
    number_ = trace_->Begin(step_);
  }
  // No effect if it has not begun, or has ended.
  void End(const CallStepEnd& end) {
    if (!has_begun_ || has_ended_) return;
    has_ended_ = true;
    trace_->End(number_, end);
  }
  // Returns the header for requests of the step; `otherwise` if there is no trace.
  std::string Traceparent(const std::string& otherwise) const {
    return has_begun_ ? trace_->Traceparent(number_) : otherwise;
  }

 private:
  CallTrace* const trace_;
  const CallStep step_;
  int number_ = 0;
  bool has_begun_ = false;
  bool has_ended_ = false;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_TRACED_STEP_H_
