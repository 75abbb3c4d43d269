// W3C Trace Context: the trace that a request belongs to, by its header traceparent.
//
//     if (const std::optional<TraceContext> trace = ContinueTrace(header)) {
//       trace->trace_id;                    // the caller's
//       trace->span_id;                     // a new one, of this request
//       trace->Traceparent();               // for requests that are made for it
//     }
#ifndef LOGQUERY_SHIM_OBSERVE_TRACE_CONTEXT_H_
#define LOGQUERY_SHIM_OBSERVE_TRACE_CONTEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "logquery/http_observer.h"

namespace logquery::shim {

struct TraceContext {
  std::string trace_id;   // 32 hexadecimal digits
  std::string span_id;    // 16
  std::string parent_id;  // 16, of the caller's span; empty: the trace begins here
  bool sampled = false;

  // The header traceparent of version 00.
  std::string Traceparent() const;
};

// Continues the trace of the header; nullopt: the header is not one of W3C, so the request belongs to no trace.
std::optional<TraceContext> ContinueTrace(std::string_view traceparent);

// Begins a trace if chance has it in the share of calls, 0 to 1, that are traced; nullopt: it does not.
std::optional<TraceContext> StartTrace(double share);

// Writes the context into the record of a request.
void SetTrace(const TraceContext& trace, HttpRequestRecord& record);

// Returns a random span id: 16 hexadecimal digits, not all 0.
std::string NewSpanId();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_TRACE_CONTEXT_H_
