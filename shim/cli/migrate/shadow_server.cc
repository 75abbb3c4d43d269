// Asks with the headers that both kinds of servers know.
#include "shim/cli/migrate/shadow_server.h"

#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::StrCat;

// Common limits of proxies are 8 KiB and more.
constexpr size_t kMaxUrl = 4'000;
constexpr size_t kMaxAnswer = 256 << 20;

std::string CallsUrl(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  const bool has_path = url.ends_with("/query") || url.ends_with("/query/name");
  return StrCat(url, has_path ? "" : "/api/endpoints/query", "/");
}

http::ClientOptions ClientOptions(const ShadowServerOptions& options) {
  http::ClientOptions client;
  client.ca_file = options.ca_file;
  client.max_connections = 2;
  return client;
}

}  // namespace

ShadowServer::ShadowServer(const ShadowServerOptions& options)
    : calls_url_(CallsUrl(options.url)),
      token_(options.token),
      time_limit_(options.time_limit),
      client_(ClientOptions(options)) {}

ShadowAnswer ShadowServer::Ask(const ShadowCall& call) {
  http::Request request;
  request.method = "GET";
  request.url = StrCat(calls_url_, base::PercentEncode(call.endpoint), "?", call.QueryString());
  if (!token_.empty()) request.headers.emplace_back("X-API-KEY", token_);
  request.headers.emplace_back("Accept", "application/json");
  if (call.redact_pii) request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
  if (request.url.size() > kMaxUrl) {
    request.method = "POST";
    request.url = StrCat(calls_url_, base::PercentEncode(call.endpoint));
    request.headers.emplace_back("Content-Type", "application/json");
    base::Json body = base::Json::object();
    for (const auto& [name, text] : call.parameters) body[name] = text;
    request.body = body.ToString();
  }
  request.patience = request.time_limit = time_limit_;
  ShadowAnswer answer;
  const absl::Time begin = absl::Now();
  const http::Outcome outcome =
      client_.Send(request, CancellationToken(), [&answer](const http::Head&, std::string_view piece) -> absl::Status {
        answer.body.append(piece);
        if (answer.body.size() <= kMaxAnswer) return absl::OkStatus();
        return absl::ResourceExhaustedError(StrCat("the answer has more than ", kMaxAnswer >> 20, " MiB"));
      });
  answer.time = absl::Now() - begin;
  answer.failure = outcome.status;
  answer.status = outcome.head.status;
  return answer;
}

}  // namespace logquery::shim
