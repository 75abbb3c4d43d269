// Decides which requests are traced, and where their spans go.
//
//     Tracer tracer(0.01, [&exporter](std::vector<Span> spans) { exporter.Add(std::move(spans)); }, Clock::Real());
//     if (std::shared_ptr<RequestTrace> trace = tracer.Begin(context)) …
#ifndef LOGQUERY_SHIM_OBSERVE_TRACER_H_
#define LOGQUERY_SHIM_OBSERVE_TRACER_H_

#include <memory>
#include <optional>
#include <utility>

#include "logquery/clock.h"
#include "shim/observe/request_trace.h"
#include "shim/observe/trace_context.h"

namespace logquery::shim {

// Thread-safe.
class Tracer {
 public:
  // `share` of the requests without a trace are traced, from 0 to 1. The clock is borrowed; `take` gets the spans of each
  // traced request, and must outlive the requests' traces.
  Tracer(double share, RequestTrace::TakeSpans take, const Clock* clock)
      : share_(share), take_(std::move(take)), clock_(clock) {}

  // Begins the trace of a request; nullptr: it is not traced. A request with a trace follows its caller's decision;
  // `continued` is the context that ContinueTrace returned for it.
  std::shared_ptr<RequestTrace> Begin(const std::optional<TraceContext>& continued) const {
    std::optional<TraceContext> context = continued ? continued : StartTrace(share_);
    if (!context || !context->sampled) return nullptr;
    return std::make_shared<RequestTrace>(*std::move(context), take_, clock_);
  }

 private:
  const double share_;
  const RequestTrace::TakeSpans take_;
  const Clock* const clock_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_TRACER_H_
