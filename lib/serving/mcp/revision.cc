// Implements "Versioning and Compatibility" and "Request Metadata" of the specification, 2026-07-28.
#include "lib/serving/mcp/revision.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

using base::Json;
using base::StrCat;

constexpr std::string_view kModern = kMcpRevisions.front();
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

bool IsKnown(std::string_view revision) {
  return std::find(kMcpRevisions.begin(), kMcpRevisions.end(), revision) != kMcpRevisions.end();
}

McpRevision Refused(bool is_modern, int code, std::string message, Json data = nullptr) {
  return {is_modern, McpAnswer::Kind::kInvalid, {code, std::move(message), std::move(data)}};
}

McpRevision Unsupported(bool is_modern, std::string_view asked) {
  Json supported = Json::array();
  for (const std::string_view revision : kMcpRevisions) supported.push_back(revision);
  return Refused(is_modern, kRpcUnsupportedVersion, "Unsupported protocol version",
                 {{"supported", std::move(supported)}, {"requested", asked.substr(0, 64)}});
}

// An error, or an empty text.
std::string HeaderProblem(std::string_view header, const std::optional<std::string>& sent, std::string_view wanted) {
  if (!sent) return StrCat("the header ", header, " is missing");
  if (*sent == wanted) return "";
  return StrCat("the header ", header, " is ", base::QuotedText(*sent), ", and the message has ",
                base::QuotedText(wanted));
}

std::string HeadersProblem(const RpcMessage& request, const McpHeaders& headers, std::string_view version) {
  std::string problem = HeaderProblem("MCP-Protocol-Version", headers.version, version);
  if (problem.empty()) problem = HeaderProblem("Mcp-Method", headers.method, request.method);
  if (!problem.empty() || request.method != "tools/call") return problem;
  const Json& name = std::as_const(request.params)["name"];
  if (!name.is_string()) return "";  // reported as a wrong parameter
  if (!headers.name) return "the header Mcp-Name is missing";
  const std::optional<std::string> decoded = DecodedHeader(*headers.name);
  return decoded ? HeaderProblem("Mcp-Name", decoded, name.text()) : "the header Mcp-Name is not valid base64";
}

McpRevision CheckModern(const RpcMessage& request, const std::optional<McpHeaders>& headers, const Json& meta) {
  const Json& version = meta[kVersionKey];
  if (!version.is_string()) {
    return Refused(true, kRpcInvalidParams, StrCat("params._meta needs the text ", kVersionKey));
  }
  if (headers) {
    const std::string problem = HeadersProblem(request, *headers, version.text());
    // An unknown version may have other headers.
    if (!problem.empty() && IsKnown(version.text())) return Refused(true, kRpcHeaderMismatch, problem);
  }
  if (version.text() != kModern) return Unsupported(true, version.text());
  if (!meta[kCapabilitiesKey].is_object()) {
    return Refused(true, kRpcInvalidParams, StrCat("params._meta needs the object ", kCapabilitiesKey));
  }
  McpRevision accepted;
  accepted.is_modern = true;
  return accepted;
}

}  // namespace

namespace {

// A text as a header: in base64 if it has other characters than visible ASCII.
std::string EncodedHeader(const std::string& text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (is_plain && !text.starts_with("=?")) return text;
  return StrCat("=?base64?", absl::Base64Escape(text), "?=");
}

}  // namespace

std::optional<std::string> DecodedHeader(const std::string& header) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  const std::string_view text = header;
  if (text.size() < kBegin.size() + kEnd.size() || !text.starts_with(kBegin) || !text.ends_with(kEnd)) return header;
  std::string decoded;
  const std::string_view coded = text.substr(kBegin.size(), text.size() - kBegin.size() - kEnd.size());
  if (!absl::Base64Unescape(base::ToAbsl(coded), &decoded)) return std::nullopt;
  return decoded;
}

McpHeaders HeadersOf(const RpcMessage& message) {
  McpHeaders headers;
  if (!message.params.is_object()) return headers;
  const Json& meta = std::as_const(message.params)["_meta"];
  if (const Json& version = meta[kVersionKey]; version.is_string()) headers.version = version.text();
  headers.method = EncodedHeader(message.method);
  const Json& name = std::as_const(message.params)["name"];
  if (message.method == "tools/call" && name.is_string()) headers.name = EncodedHeader(name.text());
  if (headers.version) headers.version = EncodedHeader(*headers.version);
  return headers;
}

McpRevision CheckRevision(const RpcMessage& request, const std::optional<McpHeaders>& headers) {
  const Json none = Json::object();
  const Json& found = request.params.is_object() ? std::as_const(request.params)["_meta"] : none;
  const Json& meta = found.is_object() ? found : none;
  const Json& version = meta[kVersionKey];
  const bool says_so = version.is_string() ? version.text() == kModern || !IsKnown(version.text()) : !version.is_null();
  if (says_so || request.method == "server/discover" || (headers && headers->version == kModern)) {
    return CheckModern(request, headers, meta);
  }
  if (headers && headers->session) {
    return {
        false,
        McpAnswer::Kind::kNoSession,
        {kRpcInvalidRequest, "this server keeps no sessions; initialize again and send no Mcp-Session-Id", nullptr}};
  }
  if (headers && headers->version && !IsKnown(*headers->version)) return Unsupported(false, *headers->version);
  return {};
}

std::string_view AgreedRevision(std::string_view asked) {
  const auto* const found = std::find(kMcpRevisions.begin() + 1, kMcpRevisions.end(), asked);
  return found == kMcpRevisions.end() ? kMcpRevisions[1] : *found;
}

}  // namespace logquery::serving
