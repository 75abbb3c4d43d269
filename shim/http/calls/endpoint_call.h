// Handles one call of an endpoint: from an HTTP request with a known principal to its response.
//
// Thread-safe. Everything that the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "logquery/http_observer.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Runs the call of a request whose token was looked up; exchange.argument is the endpoint. With `log_parameters` the record also
// gets the call's parameters.
HttpResponse CallEndpoint(Exchange& exchange, QueryService& service, QueryQueue& queue, bool log_parameters);

// Rewrites the SQL in a request's body in the other language (serving/query_rewrite.h), for a token that was looked up. As a dry
// run, it takes no query's turn.
HttpResponse CallRewrite(Exchange& exchange, QueryService& service);

// Returns whether a request asks for redaction.
bool AsksToRedact(const HttpRequest& request);

// Returns the response to a failed request; sets in `record` what the log needs.
HttpResponse AnswerError(const absl::Status& status, bool redact, HttpRequestRecord& record);

// Returns the response to an HTTP protocol error.
HttpResponse AnswerHttpError(int status, std::string_view message, HttpRequestRecord& record);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ENDPOINT_CALL_H_
