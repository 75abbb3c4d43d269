// Validates origins when the server starts, and compares them as whole texts.
#include "shim/http/transport/cors.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/own_host.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr char kRequestHeaders[] =
    "Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, LF-ENDPOINT-LABELS, LF-ENDPOINT-REDACT-PII, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-API-KEY, X-Request-Id";
constexpr char kResponseHeaders[] =
    "Age, ETag, Link, Logquery-Cache, Logquery-Cursor, Logquery-Ignored-Parameters, Logquery-Receipt, "
    "Logquery-Revision, Logquery-Token-Project, Logquery-Truncated, Logquery-Window, Retry-After, Server-Timing, "
    "X-Request-Id";
constexpr char kPreflightSeconds[] = "600";

bool IsHost(std::string_view text) {
  const auto all_of = [](std::string_view part, std::string_view more) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [more](unsigned char c) {
      return absl::ascii_islower(c) || absl::ascii_isdigit(c) || more.find(static_cast<char>(c)) != more.npos;
    });
  };
  const bool bracketed = text.size() > 2 && text.front() == '[' && text.back() == ']';
  return bracketed ? all_of(text.substr(1, text.size() - 2), ":.") : all_of(text, ".-");
}

// A port that is the scheme's own is left out, and others have no leading zero.
bool IsPort(std::string_view text, int own) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && text.front() != '0' && port > 0 && port < 65'536 &&
         port != own;
}

// As browsers write it: what differs in a letter would never match.
bool IsOrigin(std::string_view text) {
  for (const auto& [scheme, own_port] : {std::pair<std::string_view, int>("https://", 443), {"http://", 80}}) {
    if (!text.starts_with(scheme)) continue;
    text.remove_prefix(scheme.size());
    const size_t colon = text.rfind(':');
    const bool has_port = colon != text.npos && text.back() != ']';
    return IsHost(text.substr(0, has_port ? colon : text.npos)) &&
           (!has_port || IsPort(text.substr(colon + 1), own_port));
  }
  return false;
}

// The answer depends on who asks, so a cache may not give it to another site.
void AddVary(HttpResponse& response) {
  if (response.headers.Find("Vary")) return response.headers.Append("Vary", ", Origin");
  response.AddHeader("Vary", "Accept, Origin");
}

}  // namespace

absl::StatusOr<Cors> Cors::Create(std::vector<std::string> origins) {
  for (const std::string& origin : origins) {
    if (IsOrigin(origin)) continue;
    return absl::InvalidArgumentError(base::StrCat("\"", origin.substr(0, 100),
                                                   "\" is no origin as browsers send it; one is https://host or "
                                                   "https://host:port, in lower case and with nothing behind it"));
  }
  Cors cors;
  cors.origins_ = std::move(origins);
  return cors;
}

const std::string* Cors::KnownOrigin(const HttpRequest& request) const {
  const std::string* const origin = request.Header("Origin");
  if (origin == nullptr || std::find(origins_.begin(), origins_.end(), *origin) == origins_.end()) return nullptr;
  return origin;
}

bool Cors::IsOwnOrKnown(const HttpRequest& request) const {
  const std::string* const origin = request.Header("Origin");
  if (origin == nullptr || KnownOrigin(request) != nullptr) return true;
  const std::string* const host = request.Header("Host");
  return host != nullptr && base::IsOwnHost(*host, {}) &&
         (*origin == base::StrCat("http://", *host) || *origin == base::StrCat("https://", *host));
}

std::optional<HttpResponse> Cors::AnswerPreflight(const HttpRequest& request, const std::string& methods) const {
  if (request.method != "OPTIONS" || request.Header("Access-Control-Request-Method") == nullptr) return std::nullopt;
  if (KnownOrigin(request) == nullptr) return std::nullopt;
  HttpResponse response;
  response.status = 204;
  response.AddHeader("Access-Control-Allow-Methods", methods);
  response.AddHeader("Access-Control-Allow-Headers", kRequestHeaders);
  response.AddHeader("Access-Control-Max-Age", kPreflightSeconds);
  return response;
}

void Cors::AddHeaders(const HttpRequest& request, HttpResponse& response) const {
  if (origins_.empty()) return;
  AddVary(response);
  const std::string* const origin = KnownOrigin(request);
  if (origin == nullptr) return;
  response.AddHeader("Access-Control-Allow-Origin", *origin);
  response.AddHeader("Access-Control-Expose-Headers", kResponseHeaders);
}

}  // namespace logquery::shim
