// Handles one request that brings logs: from its head and body, with a known principal, to its response.
//
// Thread-safe. docs/ingest.md describes requests and responses.
#ifndef LOGQUERY_SHIM_HTTP_LOGS_INGEST_CALL_H_
#define LOGQUERY_SHIM_HTTP_LOGS_INGEST_CALL_H_

#include <string>

#include "logquery/authenticator.h"
#include "logquery/serving/log_receiver.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/transport/http_body.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

inline constexpr int64_t kMaxUnpackedBytes = 64 << 20;

// Admits the body of a request whose token was looked up. Leaves `max_bytes` at 0 if it is not wanted: TakeLogs and TakeOtlp then
// return why.
HttpProblem AdmitLogs(Exchange& exchange, const BodyLength& length, LogReceiver& receiver, size_t& max_bytes);

// Returns {"message":"Logged!"} and the rejected events.
HttpResponse TakeLogs(Exchange& exchange, LogReceiver& receiver);
// Returns {"partialSuccess":{}} as OTLP requires, in JSON or protobuf like the request.
HttpResponse TakeOtlp(Exchange& exchange, LogReceiver& receiver);

// Returns [{"id":1,"name":"cloudflare.logs.prod",…}]: the sources that the principal may write.
std::string SourcesJson(const Principal& principal, const LogReceiver& receiver);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_LOGS_INGEST_CALL_H_
