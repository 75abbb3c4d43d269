// Handles one message of MCP's Streamable HTTP: each is a POST, and its answer is JSON. There are no streams and no sessions.
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_
#define LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_

#include "logquery/serving/mcp_server.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Answers the message of a request whose token was looked up. With `log_parameters` the record also gets the parameters of the endpoint
// that the message calls.
HttpResponse CallMcp(Exchange& exchange, McpServer& mcp, bool log_parameters);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_MCP_CALL_H_
