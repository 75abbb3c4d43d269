// Handles one message of MCP's Streamable HTTP: each is a POST, and its answer is JSON, or a stream of events for a client that
// listens. There are no sessions.
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_
#define LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_

#include <atomic>

#include "logquery/query_service.h"
#include "logquery/serving/mcp_server.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Answers the message of a request whose token was looked up. With `log_parameters` the record also gets the parameters of the
// endpoint that the message calls. A stream ends when `stopping` is set, or when the service knows the token no more; it borrows
// both.
HttpResponse CallMcp(Exchange& exchange, McpServer& mcp, QueryService& service, const std::atomic<bool>& stopping,
                     bool log_parameters);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_
