// Spans in the JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp/), the body of a request to a collector.
#ifndef LOGQUERY_SHIM_OBSERVE_OTLP_JSON_H_
#define LOGQUERY_SHIM_OBSERVE_OTLP_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "shim/observe/span.h"

namespace logquery::shim {

// Returns an ExportTraceServiceRequest of the service "logquery" in this version.
std::string OtlpTraceRequest(absl::Span<const Span> spans, std::string_view version);

// Returns how many spans the collector rejected, by its response's partialSuccess; 0: none, or the response says nothing.
int64_t RejectedSpans(std::string_view response);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_OTLP_JSON_H_
