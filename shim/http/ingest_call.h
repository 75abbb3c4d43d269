// One request that brings logs: from its head and body to an answer, once it is known who sends it.
//
// Thread-safe. The forms of requests and answers are in docs/ingest.md.
#ifndef LOGQUERY_SHIM_HTTP_INGEST_CALL_H_
#define LOGQUERY_SHIM_HTTP_INGEST_CALL_H_

#include <string>

#include "logquery/authenticator.h"
#include "shim/command/ingest.h"
#include "shim/http/http_body.h"
#include "shim/http/http_message.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

inline constexpr int64_t kMaxUnpackedBytes = 64 << 20;

// As Routes::AdmitBody: reserves the room for the body of a request that may be taken, and gives 0 for others.
HttpProblem AdmitLogs(HttpRequest& request, const BodyLength& length, const Principal& principal, LogIngest& ingest,
                      size_t& max_bytes);

// {"message":"Logged!"}, and with it what was rejected.
HttpResponse TakeLogs(const HttpRequest& request, const Principal& principal, LogIngest& ingest, RequestRecord& record);
// {"partialSuccess":{}}, as OTLP has it.
HttpResponse TakeOtlp(const HttpRequest& request, const Principal& principal, LogIngest& ingest, RequestRecord& record);

// [{"id":1,"name":"cloudflare.logs.prod",…}]: what the principal may write.
std::string SourcesJson(const Principal& principal, LogIngest& ingest);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_INGEST_CALL_H_
