// Sends requests by the client of all outgoing requests, and explains responses of other programs that stand in between.
#include "shim/cli/query/remote_server.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "lib/base/given_secret.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "re2/re2.h"
#include "shim/cli/query/http_answer.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::StrCat;

constexpr size_t kMaxAnswer = size_t{256} << 20;
constexpr int kMaxConnections = 64;

http::ClientOptions OptionsOf(const RemoteArguments& arguments) {
  http::ClientOptions options;
  options.ca_file = arguments.ca_file;
  options.max_connections = kMaxConnections;
  return options;
}

std::string TextIn(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? std::string(found->text()) : std::string();
}

}  // namespace

absl::Status CheckServerUrl(std::string_view option, std::string_view url) {
  static const RE2* const form = new RE2(R"re(https?://[^/?#@\s]+(/[^?#@\s]*)?)re");
  if (RE2::FullMatch(re2::StringPiece(url.data(), url.size()), *form)) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat(option, " must be the URL of a server, such as https://logs.example, ",
                                           "without user, ? and #; is ", base::QuotedText(url)));
}

absl::StatusOr<std::string> GivenToken(const std::string& file, const std::string& name) {
  const auto variable = [](const std::string& wanted) -> const char* { return std::getenv(wanted.c_str()); };
  if (!file.empty()) return base::ReadSecretFile(file);
  return name.empty() ? std::string() : base::SecretOfVariable(name, variable);
}

absl::StatusOr<std::unique_ptr<RemoteServer>> RemoteServer::Create(const RemoteArguments& arguments,
                                                                   absl::Duration time_limit) {
  LOGQUERY_RETURN_IF_ERROR(CheckServerUrl("--url", arguments.url));
  LOGQUERY_ASSIGN_OR_RETURN(std::string token, GivenToken(arguments.token_file, arguments.token_variable));
  std::string url = arguments.url;
  while (url.ends_with('/')) url.pop_back();
  return std::unique_ptr<RemoteServer>(new RemoteServer(arguments, std::move(url), std::move(token), time_limit));
}

RemoteServer::RemoteServer(const RemoteArguments& arguments, std::string url, std::string token,
                           absl::Duration time_limit)
    : url_(std::move(url)),
      token_file_(arguments.token_file),
      time_limit_(time_limit),
      client_(OptionsOf(arguments)),
      token_(std::move(token)) {}

absl::StatusOr<ServerResponse> RemoteServer::Ask(const HttpRequest& request, const CancellationToken& cancellation) {
  std::string token;
  {
    absl::MutexLock lock(&mutex_);
    token = token_;
  }
  absl::StatusOr<ServerResponse> response = Send(request, token, cancellation);
  if (!response.ok() || response->status != 401 || !HasNewToken(token)) return response;
  {
    absl::MutexLock lock(&mutex_);
    token = token_;
  }
  return Send(request, token, cancellation);
}

bool RemoteServer::HasNewToken(const std::string& used) {
  if (token_file_.empty()) return false;
  absl::StatusOr<std::string> now = base::ReadSecretFile(token_file_);
  if (!now.ok() || *now == used) return false;
  absl::MutexLock lock(&mutex_);
  token_ = *std::move(now);
  return true;
}

absl::StatusOr<ServerResponse> RemoteServer::Send(const HttpRequest& request, const std::string& token,
                                                  const CancellationToken& cancellation) {
  http::Request sent;
  sent.method = request.method;
  sent.url = StrCat(url_, request.path, request.query.empty() ? "" : "?", request.query);
  sent.headers = request.headers;
  if (!token.empty()) sent.headers.emplace_back("X-API-KEY", token);
  sent.body = request.body;
  sent.patience = sent.time_limit = time_limit_;
  ServerResponse response;
  const http::Outcome outcome =
      client_.Send(sent, cancellation, [&response](const http::Head&, std::string_view piece) -> absl::Status {
        response.body.append(piece);
        if (response.body.size() <= kMaxAnswer) return absl::OkStatus();
        return absl::ResourceExhaustedError(StrCat("the answer has more than ", kMaxAnswer >> 20, " MiB"));
      });
  if (!outcome.status.ok()) {
    return absl::Status(outcome.status.code(), StrCat(url_, ": ", base::Message(outcome.status)));
  }
  response.status = outcome.head.status;
  for (const auto& [name, value] : outcome.head.headers) response.headers.emplace_back(name, value);
  return response;
}

std::string ErrorOfResponse(const RemoteServer& server, const ServerResponse& response, bool with_snippet) {
  const std::string answered = StrCat(server.url(), " answered ", response.status);
  if (response.status >= 300 && response.status < 400) {
    return StrCat(answered, " and points to ", base::QuotedText(ResponseHeader(response, "Location")),
                  "; give the address that it means");
  }
  const std::optional<Json> json = base::TryReadJson(response.body);
  const auto found = json && json->is_object() ? json->find("error") : Json::const_iterator();
  if (!json || !json->is_object() || found == json->end() || !found->is_object()) {
    return StrCat(answered, ", and not as logquery does; is it the address of a logquery server? It begins with ",
                  base::QuotedText(response.body));
  }
  std::string text = StrCat(answered, " ", TextIn(*found, "status"), ": ", TextIn(*found, "message"));
  const auto details = found->find("details");
  const std::string snippet =
      details != found->end() && details->is_object() ? TextIn(*details, "snippet") : std::string();
  if (with_snippet && !snippet.empty()) base::StrAppend(&text, "\n", snippet);
  const std::string retry = ResponseHeader(response, "Retry-After");
  if (!retry.empty()) base::StrAppend(&text, "; try again in ", retry, " s");
  return text;
}

}  // namespace logquery::shim
