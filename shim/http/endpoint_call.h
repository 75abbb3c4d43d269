// One call of an endpoint: from an HTTP request to its answer, once it is known who calls.
//
// Thread-safe. What the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_ENDPOINT_CALL_H_
#define LOGQUERY_SHIM_HTTP_ENDPOINT_CALL_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/query_service.h"
#include "shim/http/http_message.h"
#include "shim/http/query_runner.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

// The token of a request, from X-API-KEY or Authorization: Bearer; empty: none. InvalidArgument: two different ones.
absl::StatusOr<std::string> TokenOf(const HttpRequest& request);

// Runs the endpoint that `raw_name`, the URL's last part as sent, names. An error's answer comes from AnswerError.
HttpResponse CallEndpoint(const HttpRequest& request, std::string_view raw_name, const Principal& caller,
                          QueryService& service, QueryRunner& runner, RequestRecord& record);

// The answer to a request that failed; `record` gets what the log should know.
HttpResponse AnswerError(const absl::Status& status, bool redact, RequestRecord& record);

// The answer to what is wrong with HTTP itself.
HttpResponse AnswerHttpError(int status, std::string_view message, RequestRecord& record);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ENDPOINT_CALL_H_
