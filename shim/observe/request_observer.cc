// A traced request has its trace's ids in the log, too.
#include "shim/observe/request_observer.h"

#include <memory>
#include <optional>

#include "shim/observe/request_span.h"
#include "shim/observe/request_trace.h"
#include "shim/observe/trace_context.h"

namespace logquery::shim {

void RequestObserver::OnRequest(std::string_view traceparent, HttpRequestRecord& record) noexcept {
  log_->OnRequest(traceparent, record);
}

void RequestObserver::OnCall(std::string_view traceparent, HttpRequestRecord& record) noexcept {
  if (tracer_ == nullptr) return;
  const std::shared_ptr<RequestTrace> trace = tracer_->Begin(ContinueTrace(traceparent));
  if (trace == nullptr) return;
  record.trace = trace;
  SetTrace(trace->context(), record);
}

void RequestObserver::OnResponse(const HttpRequestRecord& record) noexcept {
  log_->OnResponse(record);
  // The record's trace is the one that OnCall made.
  if (auto* const trace = static_cast<RequestTrace*>(record.trace.get()); trace != nullptr) {
    trace->Finish(RequestSpan(record), record.began, record.began + record.total);
  }
  if (metrics_ != nullptr && !record.admin) metrics_->OnRequest(record.status);
}

}  // namespace logquery::shim
