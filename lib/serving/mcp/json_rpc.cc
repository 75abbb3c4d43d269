// Checks the members of a message one by one, so that each error can say which one is wrong.
#include "lib/serving/mcp/json_rpc.h"

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/base/json.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

using base::Json;

// Clients choose it, and answers repeat it.
constexpr size_t kMaxIdBytes = 256;

RpcMessage InvalidMessage(int code, std::string message, Json id = nullptr) {
  RpcMessage invalid;
  invalid.id = std::move(id);
  invalid.error = {code, std::move(message), nullptr};
  return invalid;
}

bool IsId(const Json& id) { return id.is_string() ? id.text().size() <= kMaxIdBytes : id.is_number_integer(); }

bool Has(const Json& object, std::string_view key) { return object.find(key) != object.end(); }

// Reads a message that is an object.
RpcMessage ReadMembers(Json json) {
  const bool has_id = Has(json, "id");
  Json id = has_id ? std::move(json["id"]) : Json();
  if (has_id && !IsId(id)) {
    return InvalidMessage(kRpcInvalidRequest,
                          base::StrCat("id must be an integer or a string of at most ", kMaxIdBytes, " bytes"));
  }
  if (const Json& version = std::as_const(json)["jsonrpc"]; !version.is_string() || version.text() != "2.0") {
    return InvalidMessage(kRpcInvalidRequest, "jsonrpc must be \"2.0\"", std::move(id));
  }
  RpcMessage message;
  message.id = std::move(id);
  if (Has(json, "result") || Has(json, "error")) {
    message.kind = RpcMessage::Kind::kResponse;
    return message;
  }
  if (!std::as_const(json)["method"].is_string()) {
    return InvalidMessage(kRpcInvalidRequest, "method must be a string", std::move(message.id));
  }
  message.method = json["method"].text();
  if (Has(json, "params")) message.params = std::move(json["params"]);
  if (!message.params.is_null() && !message.params.is_object()) {
    return InvalidMessage(kRpcInvalidRequest, "params must be an object", std::move(message.id));
  }
  message.kind = has_id ? RpcMessage::Kind::kRequest : RpcMessage::Kind::kNotification;
  return message;
}

}  // namespace

RpcMessage ParseRpcMessage(std::string_view text, size_t max_bytes) {
  if (text.size() > max_bytes) {
    return InvalidMessage(kRpcInvalidRequest, base::StrCat("the message has ", text.size(), " bytes; at most ",
                                                           max_bytes, " are accepted"));
  }
  // A list may be long: it is refused before it is parsed.
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '[') {
    return InvalidMessage(kRpcInvalidRequest, "batches are not part of MCP; send each message by itself");
  }
  absl::StatusOr<Json> json = base::ParseJson("the message", text);
  if (!json.ok()) return InvalidMessage(kRpcParseError, std::string(base::Message(json.status())));
  if (!json->is_object()) return InvalidMessage(kRpcInvalidRequest, "a message is a JSON object");
  return ReadMembers(*std::move(json));
}

std::string RpcResult(const Json& id, Json result) {
  Json json = {{"jsonrpc", "2.0"}, {"id", id}};
  json["result"] = std::move(result);
  return json.ToString();
}

std::string RpcNotification(std::string_view method, Json params) {
  Json json = {{"jsonrpc", "2.0"}, {"method", method}};
  json["params"] = std::move(params);
  return json.ToString();
}

std::string RpcErrorText(const Json& id, const RpcError& error) {
  Json json = {{"jsonrpc", "2.0"}};
  // MCP's schema does not allow null as an id.
  if (!id.is_null()) json["id"] = id;
  json["error"] = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) json["error"]["data"] = error.data;
  return json.ToString();
}

}  // namespace logquery::serving
