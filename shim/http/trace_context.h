// W3C Trace Context: the trace that a request belongs to, by its header traceparent.
//
//     if (const std::optional<TraceContext> trace = ContinueTrace(header)) {
//       trace->trace_id;                    // the caller's
//       trace->span_id;                     // a new one, of this request
//       trace->Traceparent();               // for requests that are made for it
//     }
#ifndef LOGQUERY_SHIM_HTTP_TRACE_CONTEXT_H_
#define LOGQUERY_SHIM_HTTP_TRACE_CONTEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace logquery::shim {

struct TraceContext {
  std::string trace_id;  // 32 hexadecimal digits
  std::string span_id;   // 16
  bool sampled = false;

  // Of version 00.
  std::string Traceparent() const;
};

// nullopt: the header is not one of W3C, so the request is of no trace.
std::optional<TraceContext> ContinueTrace(std::string_view traceparent);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRACE_CONTEXT_H_
