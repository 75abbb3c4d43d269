// The responses to an OpenTelemetry exporter that sends logs (OTLP 1.x, "OTLP/HTTP Response"), for whoever receives them with
// log_receiver.h.
//
//     auto logs = receiver->Append(**admission, {.text = body, .shape = logquery::EventShape::kOtlpProtobuf});
//     std::string response = logquery::OtlpResponse(true, logs->rejected_rows, "id: is no UUID");
//
// Everything here is thread-safe.
#ifndef LOGQUERY_SERVING_OTLP_RESPONSE_H_
#define LOGQUERY_SERVING_OTLP_RESPONSE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace logquery {

// Returns an ExportLogsServiceResponse, in protobuf or in JSON, like the request. `why` says why records were rejected or, if none
// was, what to be warned of; empty: there is nothing to say.
std::string OtlpResponse(bool in_protobuf, int64_t rejected, std::string_view why);

// Returns a google.rpc.Status with this message in protobuf, for a request that failed. It has no code, because exporters decide by
// the status of HTTP or gRPC.
std::string OtlpStatus(std::string_view message);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_OTLP_RESPONSE_H_
