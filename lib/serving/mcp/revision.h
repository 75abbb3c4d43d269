// The revision of MCP that a message belongs to, and what it must carry by it.
#ifndef LOGQUERY_LIB_SERVING_MCP_REVISION_H_
#define LOGQUERY_LIB_SERVING_MCP_REVISION_H_

#include <optional>
#include <string>
#include <string_view>

#include "lib/serving/mcp/json_rpc.h"
#include "logquery/serving/mcp_server.h"

namespace logquery::serving {

struct McpRevision {
  // Whether each request says its revision and nothing begins with `initialize`: 2026-07-28.
  bool is_modern = false;
  McpAnswer::Kind kind = McpAnswer::Kind::kAnswer;  // of the refusal
  RpcError error;                                   // why the message is refused; code 0: it is not
};

// Checks a request. `headers`: what the transport repeats of it.
McpRevision CheckRevision(const RpcMessage& request, const std::optional<McpHeaders>& headers);

// Returns the revision that `initialize` agrees on: the asked one, or the newest that begins so.
std::string_view AgreedRevision(std::string_view asked);

// Returns the headers that a client of HTTP sends with the message.
McpHeaders HeadersOf(const RpcMessage& message);

// Returns the text of a header that may be in base64, as =?base64?…?=; nullopt: it is not valid.
std::optional<std::string> DecodedHeader(const std::string& header);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_REVISION_H_
