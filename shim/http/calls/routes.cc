// Finds the route of a request and calls its handler; creates the responses for unknown routes.
#include "shim/http/calls/routes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "lib/base/call_parameters.h"
#include "lib/base/json/value.h"
#include "lib/base/nearest_names.h"
#include "lib/base/own_host.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/query_string.h"
#include "lib/base/random.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/serving/saved_queries.h"
#include "shim/http/about/console_files.h"
#include "shim/http/about/readiness.h"
#include "shim/http/calls/common_headers.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/calls/mcp_call.h"
#include "shim/http/logs/ingest_call.h"
#include "shim/http/logs/otlp_answer.h"

namespace logquery::shim {
namespace {

// The longest body of a route that asks for no token: a sign-in code is all that it takes, and parsing JSON costs time.
constexpr size_t kMaxBodyOfAnybody = 4 << 10;

bool IsRequestId(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '-';
  });
}

std::string RequestId(const HttpRequest& request) {
  if (const std::string* sent = request.Header("X-Request-Id"); sent != nullptr && IsRequestId(*sent)) return *sent;
  return base::StrCat(base::RandomDigits(), base::RandomDigits());
}

HttpResponse MethodNotAllowed(Methods allowed, HttpRequestRecord& record) {
  HttpResponse response = AnswerHttpError(405, base::StrCat("this path takes ", MethodNames(allowed)), record);
  response.AddHeader("Allow", MethodNames(allowed));
  return response;
}

}  // namespace

Routes::Routes(const HttpServerOptions& options, Cors cors, bool admin)
    : options_(options), cors_(std::move(cors)), admin_(admin), tokens_(options), codes_(options.clock) {
  for (const Route& route : Table()) {
    if (Serves(route)) served_.push_back(route);
  }
  for (const HttpAction& action : options_.actions) {
    if (!admin)
      served_.push_back({action.path, action.posts ? kPost : kGet | kHead, Audience::kOwner, &Routes::Act, {}});
  }
  for (const Route& route : served_) {
    (route.pattern.find('{') == route.pattern.npos ? plain_[route.pattern] : named_).push_back(&route);
  }
}

void Routes::CancelAll() {
  options_.queue->CancelAll();
  stopping_.Cancel();
}

void Routes::Begin(Exchange& exchange) {
  ++look_ups_;
  if (options_.api_key_in_query) {
    for (std::string& key : base::TakeApiKeys(exchange.http.query)) {
      exchange.http.headers.emplace_back("X-API-KEY", std::move(key));
    }
  }
  const HttpRequest& request = exchange.http;
  const Methods method = MethodNamed(request.method);
  const auto take = [&](const Route& route, std::string_view argument) {
    exchange.methods |= route.methods;
    if (exchange.route != nullptr || (route.methods & method) == 0) return;
    exchange.route = &route;
    exchange.argument = argument;
  };
  if (const auto found = plain_.find(std::string_view(request.path)); found != plain_.end()) {
    for (const Route* route : found->second) take(*route, {});
  }
  for (const Route* route : named_) {
    if (const std::optional<std::string_view> argument = MatchPath(route->pattern, request.path)) {
      take(*route, *argument);
    }
  }
}

HttpResponse Routes::Handle(HttpRequest request) {
  Exchange exchange(std::move(request));
  Begin(exchange);
  return Answer(exchange);
}

void Routes::Identify(Exchange& exchange) {
  HttpRequestRecord& record = exchange.record;
  record.admin = admin_;
  record.began = options_.clock->Monotonic();
  record.request_id = RequestId(exchange.http);
  record.method = exchange.http.method;
  record.path = exchange.http.path;
  const std::string* const traceparent = exchange.http.Header("traceparent");
  if (traceparent != nullptr && options_.observer != nullptr) options_.observer->OnRequest(*traceparent, record);
}

HttpResponse Routes::Answer(Exchange& exchange) {
  Identify(exchange);
  return Finish(exchange, Respond(exchange));
}

HttpResponse Routes::Finish(Exchange& exchange, HttpResponse response) {
  HttpRequestRecord& record = exchange.record;
  MakeOtlpError(exchange.http, response);
  response.AddHeader("X-Request-Id", record.request_id);
  cors_.AddHeaders(exchange.http, response);
  AddCommonHeaders(response);
  record.status = response.status;
  record.bytes = response.body_bytes();
  record.total = options_.clock->Monotonic() - record.began;
  if (options_.observer != nullptr) options_.observer->OnResponse(record);
  return response;
}

bool Routes::Serves(const Route& route) const {
  if (route.needs == RouteNeeds::kIngest && options_.receiver == nullptr) return false;
  if (route.needs == RouteNeeds::kConsole && !options_.console) return false;
  if (route.needs == RouteNeeds::kMcp && options_.mcp == nullptr) return false;
  if (route.needs == RouteNeeds::kSaved && options_.saved == nullptr) return false;
  if (route.needs == RouteNeeds::kProjects && !options_.projects) return false;
  switch (route.audience) {
    case Audience::kAnybody:
    case Audience::kToken:
      return !admin_;
    case Audience::kAdmin:
      return admin_;
    case Audience::kOwner:
      break;
  }
  return false;
}

bool Routes::TakesJson(const Exchange& exchange) {
  const HttpRequest& request = exchange.http;
  const bool is_get = request.method == "GET";
  if (exchange.route == nullptr || exchange.route->needs == RouteNeeds::kIngest) return false;
  if ((exchange.route->methods & kPost) == 0 && request.method != "PUT") return false;
  if (request.method != "POST" && request.method != "PUT" && !is_get) return false;
  if (is_get && request.Header("Content-Type") == nullptr) return false;
  const std::string type = request.MediaType();
  return type.empty() || type == "application/json";
}

HttpProblem Routes::AdmitBody(Exchange& exchange, const BodyLength& length, size_t& max_bytes) {
  max_bytes = 0;
  const Route* const route = exchange.route;
  if (route == nullptr) return {};
  if (route->needs == RouteNeeds::kIngest) {
    return tokens_.Authenticate(exchange).ok() ? AdmitLogs(exchange, length, *options_.receiver, max_bytes)
                                               : HttpProblem();
  }
  if (!TakesJson(exchange)) return {};
  const std::string* const coding = exchange.http.Header("Content-Encoding");
  if (coding != nullptr && !coding->empty() && !base::EqualsIgnoreCase(*coding, "identity")) {
    return {415, "compressed request bodies are not supported on this route; remove Content-Encoding"};
  }
  // A body that keeps a thread waiting takes a valid token.
  if (route->audience == Audience::kToken && !tokens_.Authenticate(exchange).ok()) return {};
  max_bytes = route->audience == Audience::kAnybody ? kMaxBodyOfAnybody : static_cast<size_t>(kMaxBodyBytes);
  return length.bytes > max_bytes ? BodyTooLong(max_bytes) : HttpProblem();
}

HttpResponse Routes::Respond(Exchange& exchange) {
  HttpRequestRecord& record = exchange.record;
  const HttpRequest& request = exchange.http;
  const std::string* const host = admin_ ? request.Header("Host") : nullptr;
  if (host != nullptr && !base::IsOwnHost(*host, options_.admin_hosts)) {
    return AnswerHttpError(421, "the admin listener answers to IP addresses, localhost and the names of --admin-host",
                           record);
  }
  if (exchange.methods == 0) return NotFound(exchange);
  if (auto preflight = cors_.AnswerPreflight(request, MethodNames(exchange.methods))) return *std::move(preflight);
  const Route* const route = exchange.route;
  if (route == nullptr) return MethodNotAllowed(exchange.methods, record);
  if (route->needs == RouteNeeds::kMcp && !cors_.IsOwnOrKnown(request)) {
    return AnswerHttpError(403, "pages of this site may not call MCP here; --cors-origin names those that may", record);
  }
  if (route->audience == Audience::kToken) {
    const absl::StatusOr<Principal>& principal = tokens_.Authenticate(exchange);
    // A request without a token is no guess of one.
    if (absl::IsUnauthenticated(principal.status()) && !exchange.without_token) {
      return AnswerError(tokens_.AfterFailure(request, principal.status()), true, record);
    }
    if (!principal.ok()) return AnswerError(principal.status(), true, record);
    record.client = principal->label;
    record.token_id = principal->token_id;
  }
  const bool sends = request.method == "POST" || request.method == "PUT";
  if (sends && route->needs != RouteNeeds::kIngest && !TakesJson(exchange)) {
    return AnswerHttpError(415, "a request's body must be JSON (Content-Type: application/json)", record);
  }
  record.route = route->pattern;
  return (this->*route->handler)(exchange);
}

HttpResponse Routes::Refuse(Exchange& exchange, const HttpProblem& problem) {
  HttpRequestRecord& record = exchange.record;
  Identify(exchange);
  HttpResponse response;
  if (problem.status == 405) {
    // The path of a head that is refused is not known.
    Methods all = 0;
    for (const Route& route : served_) all |= route.methods;
    response = MethodNotAllowed(all, record);
  } else {
    response = AnswerHttpError(problem.status, problem.message, record);
  }
  if (problem.status == 429) response.AddHeader("Retry-After", "1");
  return Finish(exchange, std::move(response));
}

// Names only this listener's routes, and quotes nothing of the path.
HttpResponse Routes::NotFound(Exchange& exchange) const {
  const std::string_view path = exchange.http.path;
  std::vector<std::string> plain, named;
  for (const Route& route : served_) {
    (route.pattern.find('{') == route.pattern.npos ? plain : named).emplace_back(route.pattern);
  }
  std::vector<std::string> near = base::NearestNames(path, plain);
  // As if the path's last part were a name.
  if (near.empty()) near = base::NearestNames(base::StrCat(path.substr(0, path.rfind('/') + 1), "{endpoint}"), named);
  return AnswerHttpError(
      404,
      base::StrCat("there is nothing at this path", admin_ ? "; the admin listener has " : base::DidYouMean(near),
                   admin_ ? base::Join(plain, " and ") : ""),
      exchange.record);
}

// Only with a valid token, so that others can't fill the collector.
bool Routes::BeginCall(Exchange& exchange) {
  if (options_.observer != nullptr) {
    const std::string* const traceparent = exchange.http.Header("traceparent");
    options_.observer->OnCall(traceparent != nullptr ? std::string_view(*traceparent) : "", exchange.record);
  }
  return options_.log_parameters > 0 && base::IsInShare(base::RandomNumber(), options_.log_parameters);
}

HttpResponse Routes::Call(Exchange& exchange) {
  return CallEndpoint(exchange, *options_.service, *options_.queue, BeginCall(exchange));
}

HttpResponse Routes::Mcp(Exchange& exchange) {
  return CallMcp(exchange, *options_.mcp, *options_.service, draining_, BeginCall(exchange));
}

HttpResponse Routes::Saved(Exchange& exchange) {
  const HttpRequest& request = exchange.http;
  const absl::StatusOr<std::string> name = base::PercentDecode(exchange.argument, false);
  if (!name.ok()) return AnswerError(name.status(), true, exchange.record);
  absl::StatusOr<ParameterTexts> parameters = base::ParseQueryString(request.query);
  if (!parameters.ok()) return AnswerError(parameters.status(), true, exchange.record);
  SavedCall call = {SavedCall::Kind::kList, *name, *std::move(parameters), request.body, {}};
  if (!exchange.argument.empty()) call.kind = SavedCall::Kind::kGet;
  if (request.method == "PUT") call.kind = SavedCall::Kind::kSave;
  if (request.method == "DELETE") call.kind = SavedCall::Kind::kDelete;
  if (const std::string* const tag = request.Header("If-Match")) call.revision_tag = *tag;
  const SavedAnswer answer = AnswerSaved(*options_.saved, **exchange.principal, call);
  if (answer.status.ok()) {
    HttpResponse response = JsonResponse(200, answer.body);
    if (answer.revision > 0) response.AddHeader("ETag", base::StrCat("\"", answer.revision, "\""));
    return response;
  }
  HttpResponse response = AnswerError(answer.status, (*exchange.principal)->redact_pii, exchange.record);
  // The message may quote the SQL.
  exchange.record.error = base::StrCat(absl::StatusCodeToString(answer.status.code()), "; the answer says why");
  if (!answer.present.empty()) {
    response.body =
        base::StrCat(response.body.substr(0, response.body.size() - 1), ",\"present\":", answer.present, "}");
  }
  return response;
}

HttpResponse Routes::Rewrite(Exchange& exchange) { return CallRewrite(exchange, *options_.service); }

HttpResponse Routes::Health(Exchange&) { return JsonResponse(200, R"({"status":"ok"})"); }

HttpResponse Routes::Web(Exchange& exchange) {
  std::optional<HttpResponse> file = ConsoleFile(exchange.http);
  return file ? *std::move(file) : NotFound(exchange);
}

HttpResponse Routes::MakeCode(Exchange& exchange) {
  absl::StatusOr<std::string> token = TokenOf(exchange.http);
  if (token.ok() && token->empty()) token = absl::InvalidArgumentError("there is no token that a code could stand for");
  if (!token.ok()) return AnswerError(token.status(), true, exchange.record);
  const absl::StatusOr<std::string> code = codes_.Make(*std::move(token));
  if (!code.ok()) return AnswerError(code.status(), true, exchange.record);
  const base::Json json = {{"code", *code}, {"expires_in", absl::ToInt64Seconds(base::SignInCodes::kLifetime)}};
  return JsonResponse(200, json.ToString());
}

HttpResponse Routes::TakeCode(Exchange& exchange) {
  const absl::StatusOr<std::string> code = base::SignInCodeIn(exchange.http.body);
  if (!code.ok()) return AnswerError(code.status(), true, exchange.record);
  const absl::StatusOr<std::string> token = codes_.Take(*code);
  if (!token.ok()) return AnswerError(tokens_.AfterFailure(exchange.http, token.status()), true, exchange.record);
  return JsonResponse(200, base::Json{{"token", *token}}.ToString());
}

HttpResponse Routes::Act(Exchange& exchange) {
  const auto action = std::find_if(options_.actions.begin(), options_.actions.end(),
                                   [&](const HttpAction& one) { return one.path == exchange.route->pattern; });
  const HttpRequest& request = exchange.http;
  const absl::StatusOr<std::string> answer = action->run({request.body, stopping_.token(), request.client_left});
  if (answer.ok()) return JsonResponse(200, *answer);
  HttpResponse response = AnswerError(answer.status(), false, exchange.record);
  const base::Json error = {{"status", absl::StatusCodeToString(answer.status().code())},
                            {"message", base::Message(answer.status())}};
  response.body = base::Json{{"error", error}}.ToString();
  return response;
}

HttpResponse Routes::Ready(Exchange&) { return AnswerReady(options_, draining_); }

HttpResponse Routes::ReadyInDetail(Exchange&) { return AnswerReadyInDetail(options_, draining_); }

HttpResponse Routes::Ingest(Exchange& exchange) { return TakeLogs(exchange, *options_.receiver); }

HttpResponse Routes::IngestOtlp(Exchange& exchange) { return TakeOtlp(exchange, *options_.receiver); }

HttpResponse Routes::Sources(Exchange& exchange) {
  return JsonResponse(200, SourcesJson(**exchange.principal, *options_.receiver));
}

}  // namespace logquery::shim
