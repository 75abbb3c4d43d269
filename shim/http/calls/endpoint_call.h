// Handles one call of an endpoint: from an HTTP request with a known principal to its response.
//
// Thread-safe. Everything that the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "shim/http/transport/http_message.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {

// Returns a request's token, from X-API-KEY or Authorization: Bearer; empty: none. InvalidArgument: two different
// tokens.
absl::StatusOr<std::string> TokenOf(const HttpRequest& request);

// Runs the endpoint `raw_name`, the URL's last part as sent. AnswerError creates the responses for errors. With
// `log_parameters` the record also gets the call's parameters.
HttpResponse CallEndpoint(const HttpRequest& request, std::string_view raw_name, const Principal& caller,
                          QueryService& service, QueryQueue& queue, bool log_parameters, RequestRecord& record);

// Returns the response to a failed request; sets in `record` what the log needs.
HttpResponse AnswerError(const absl::Status& status, bool redact, RequestRecord& record);

// Returns the response to an HTTP protocol error.
HttpResponse AnswerHttpError(int status, std::string_view message, RequestRecord& record);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_
