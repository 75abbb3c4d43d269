// Messages of JSON-RPC 2.0, as MCP has them: one request, notification or response; no lists of them.
#ifndef LOGQUERY_LIB_SERVING_MCP_JSON_RPC_H_
#define LOGQUERY_LIB_SERVING_MCP_JSON_RPC_H_

#include <string>
#include <string_view>

#include "lib/base/json/value.h"

namespace logquery::serving {

// Codes of errors: JSON-RPC's, and those of MCP's present revision.
enum RpcCode : int {
  kRpcParseError = -32700,
  kRpcInvalidRequest = -32600,
  kRpcMethodNotFound = -32601,
  kRpcInvalidParams = -32602,
  kRpcInternalError = -32603,
  kRpcHeaderMismatch = -32020,
  kRpcUnsupportedVersion = -32022,
};

struct RpcError {
  int code = 0;  // 0: none
  std::string message;
  base::Json data;  // null: none
};

struct RpcMessage {
  enum class Kind { kInvalid, kRequest, kNotification, kResponse };
  Kind kind = Kind::kInvalid;
  base::Json id;  // a string or an integer; null: there is none, or it could not be read
  std::string method;
  base::Json params;  // an object; null: none
  RpcError error;     // of kInvalid
};

// Parses one message of at most `max_bytes` bytes, nested at most 200 levels deep.
RpcMessage ParseRpcMessage(std::string_view text, size_t max_bytes);

// Return a message on one line.
std::string RpcResult(const base::Json& id, base::Json result);
std::string RpcErrorText(const base::Json& id, const RpcError& error);
std::string RpcNotification(std::string_view method, base::Json params);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_JSON_RPC_H_
