// Answers to OpenTelemetry's exporters in the encoding of their request, JSON or protobuf (OTLP 1.x, "OTLP/HTTP Response").
#ifndef LOGQUERY_SHIM_HTTP_LOGS_OTLP_ANSWER_H_
#define LOGQUERY_SHIM_HTTP_LOGS_OTLP_ANSWER_H_

#include <cstdint>
#include <string_view>

#include "shim/http/transport/http_message.h"

namespace logquery::shim {

inline constexpr std::string_view kOtlpPath = "/v1/logs";
inline constexpr std::string_view kProtobufType = "application/x-protobuf";

// Returns whether the request's body is protobuf, as its head says.
bool IsProtobuf(const HttpRequest& request);

// Returns an ExportLogsServiceResponse. `why` says why records were rejected or, if none was, what to be warned of; empty:
// there is nothing to say.
HttpResponse OtlpAnswer(bool is_protobuf, int64_t rejected, std::string_view why);

// Turns an error answer into a google.rpc.Status with the same message, if the request is an exporter's in protobuf.
void MakeOtlpError(const HttpRequest& request, HttpResponse& response);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_LOGS_OTLP_ANSWER_H_
