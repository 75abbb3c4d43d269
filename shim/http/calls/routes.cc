// Finds the route of a request and calls its handler; creates the responses for unknown routes.
#include "shim/http/calls/routes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/version.h"
#include "nlohmann/json.hpp"
#include "shim/http/about/console_files.h"
#include "shim/http/about/endpoint_list.h"
#include "shim/http/about/nearest_names.h"
#include "shim/http/about/openapi.h"
#include "shim/http/calls/call_parameters.h"
#include "shim/http/calls/content_type.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/logs/ingest_call.h"
#include "shim/http/logs/otlp_answer.h"
#include "shim/http/transport/own_host.h"
#include "shim/observe/metrics.h"
#include "shim/observe/request_span.h"
#include "shim/observe/trace_context.h"

namespace logquery::shim {
namespace {

// Of a route that asks for no token: a sign-in code is all that it takes, and parsing JSON costs time.
constexpr size_t kMaxBodyOfAnybody = 4 << 10;

bool IsRequestId(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '-';
  });
}

std::string RequestId(const HttpRequest& request) {
  if (const std::string* sent = request.Header("X-Request-Id"); sent != nullptr && IsRequestId(*sent)) return *sent;
  return base::StrCat(NewSpanId(), NewSpanId());
}

HttpResponse Text(int status, std::string_view body) {
  HttpResponse response;
  response.status = status;
  response.body = body;
  return response;
}

HttpResponse MethodNotAllowed(Methods allowed, RequestRecord& record) {
  HttpResponse response = AnswerHttpError(405, base::StrCat("this path takes ", MethodNames(allowed)), record);
  response.AddHeader("Allow", MethodNames(allowed));
  return response;
}

std::string ClientAddress(const HttpRequest& request, bool trust_forwarded_for) {
  const std::string* forwarded = trust_forwarded_for ? request.Header("X-Forwarded-For") : nullptr;
  if (forwarded == nullptr) return request.remote_address;
  const size_t comma = forwarded->find_last_of(", ");
  return comma == std::string::npos ? *forwarded : forwarded->substr(comma + 1);
}

void AddUnlessThere(HttpResponse& response, const std::string& name, std::string value) {
  const auto is_it = [&](const auto& header) { return header.first == name; };
  if (std::none_of(response.headers.begin(), response.headers.end(), is_it)) response.AddHeader(name, std::move(value));
}

// The code in {"code":"…"}.
absl::StatusOr<std::string> CodeIn(const std::string& body) {
  LOGQUERY_ASSIGN_OR_RETURN(const nlohmann::ordered_json json, base::ParseJson("the request's body", body));
  const auto code = json.is_object() ? json.find("code") : json.end();
  if (code == json.end() || !code->is_string()) {
    return absl::InvalidArgumentError("the exchange of a sign-in code wants {\"code\":\"…\"}");
  }
  return code->get<std::string>();
}

// The registry is to live for as long as what is returned.
std::vector<const RegisteredEndpoint*> EndpointsOf(const std::shared_ptr<const EndpointRegistry>& registry) {
  return registry == nullptr ? std::vector<const RegisteredEndpoint*>() : registry->All();
}

void SetTrace(const TraceContext& trace, RequestRecord& record) {
  record.trace_id = trace.trace_id;
  record.span_id = trace.span_id;
  record.traceparent = trace.Traceparent();
}

// The header Date, which is another one each second.
std::string HttpDate(absl::Time now) {
  thread_local int64_t second = -1;
  thread_local std::string text;
  if (const int64_t current = absl::ToUnixSeconds(now); current != second) {
    second = current;
    text = absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", now, absl::UTCTimeZone());
  }
  return text;
}

// The headers that every answer has.
void Complete(HttpResponse& response) {
  const bool page = response.content_type.substr(0, 9) == "text/html";
  AddUnlessThere(response, "Cache-Control", "no-store");
  response.AddHeader("Content-Security-Policy",
                     page ? "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                            "connect-src 'self'; "
                            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                          : "default-src 'none'; frame-ancestors 'none'");
  response.AddHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.AddHeader("Referrer-Policy", "no-referrer");
  AddUnlessThere(response, "Vary", "Accept");
  response.AddHeader("X-Content-Type-Options", "nosniff");
  response.AddHeader("Date", HttpDate(Clock::Real()->Now()));
}

}  // namespace

Routes::Routes(const RoutesOptions& options)
    : options_(options), owner_(options.owner), attempts_(options.clock), codes_(options.clock) {}

template <typename Answer>
HttpResponse Routes::Logged(const HttpRequest& request, Answer answer) {
  RequestRecord record;
  record.request_id = RequestId(request);
  record.method = request.method;
  record.path = request.path;
  if (const std::string* traceparent = request.Header("traceparent"); traceparent != nullptr) {
    if (const std::optional<TraceContext> trace = ContinueTrace(*traceparent)) SetTrace(*trace, record);
  }
  const absl::Duration begin = options_.clock->Monotonic();
  HttpResponse response = answer(record);
  MakeOtlpError(request, response);
  response.AddHeader("X-Request-Id", record.request_id);
  options_.cors.AddHeaders(request, response);
  Complete(response);
  record.status = response.status;
  record.bytes = response.body_bytes();
  const absl::Duration end = options_.clock->Monotonic();
  record.total = end - begin;
  if (options_.log != nullptr) options_.log->Add(record);
  if (record.trace != nullptr) record.trace->Finish(RequestSpan(record), begin, end);
  if (options_.answered) options_.answered(record.status);
  return response;
}

HttpResponse Routes::Handle(const HttpRequest& request) {
  return Logged(request, [&](RequestRecord& record) {
    const std::string* const host = options_.admin ? request.Header("Host") : nullptr;
    if (host != nullptr && !IsOwnHost(*host, options_.admin_hosts)) {
      return AnswerHttpError(421, "the admin listener answers to IP addresses, localhost and the names of --admin-host",
                             record);
    }
    const Methods methods = MethodsAt(request.path);
    if (methods == 0) return NotFound(request.path, record);
    std::optional<HttpResponse> preflight = options_.cors.AnswerPreflight(request, MethodNames(methods));
    return preflight ? *std::move(preflight) : Dispatch(request, record);
  });
}

HttpResponse Routes::Refuse(const HttpRequest& request, const HttpProblem& problem) {
  return Logged(request, [&](RequestRecord& record) {
    if (problem.status != 405) {
      HttpResponse response = AnswerHttpError(problem.status, problem.message, record);
      if (problem.status == 429) response.AddHeader("Retry-After", "1");
      return response;
    }
    // Of a head that was refused the path is not known.
    const Methods methods = MethodsAt(request.path);
    return MethodNotAllowed(methods != 0 ? methods : AllMethods(), record);
  });
}

bool Routes::TakesBody(const HttpRequest& request) {
  const std::string* type = request.Header("Content-Type");
  const bool is_get = request.method == "GET";
  if (request.method != "POST" && !is_get) return false;
  if (!IsJsonContentType(type != nullptr ? *type : std::string()) || (is_get && type == nullptr)) return false;
  return std::any_of(Table().begin(), Table().end(), [&](const Route& route) {
    return (route.methods & kPost) != 0 && (!is_get || (route.methods & kGet) != 0) &&
           route.needs != RouteNeeds::kIngest && MatchPath(route.pattern, request.path).has_value();
  });
}

HttpProblem Routes::AdmitBody(HttpRequest& request, const BodyLength& length, size_t& max_bytes) {
  max_bytes = 0;
  const Route* const route = FindRoute(request);
  const std::string* const coding = request.Header("Content-Encoding");
  if (route != nullptr && route->needs == RouteNeeds::kIngest) {
    const absl::StatusOr<std::string> token = TokenOf(request);
    if (!token.ok()) return {};
    const absl::StatusOr<Principal> principal = options_.service->Authenticate(*token);
    if (!principal.ok()) return {};
    return AdmitLogs(request, length, *principal, *options_.receiver, max_bytes);
  }
  if (!TakesBody(request)) return {};
  if (coding != nullptr && !coding->empty() && !base::EqualsIgnoreCase(*coding, "identity")) {
    return {415, "compressed request bodies are not supported on this route; remove Content-Encoding"};
  }
  if (route != nullptr && route->audience == Audience::kToken) {
    // A body that keeps a thread waiting takes a valid token.
    const absl::StatusOr<std::string> token = TokenOf(request);
    if (!token.ok() || absl::IsUnauthenticated(options_.service->Authenticate(*token).status())) return {};
  }
  const bool for_anybody = route != nullptr && route->audience == Audience::kAnybody;
  max_bytes = for_anybody ? kMaxBodyOfAnybody : static_cast<size_t>(kMaxBodyBytes);
  return length.bytes > max_bytes ? BodyTooLong(max_bytes) : HttpProblem();
}

const Route* Routes::FindRoute(const HttpRequest& request) const {
  const Methods method = MethodNamed(request.method);
  for (const Route& route : Table()) {
    if ((route.methods & method) != 0 && Serves(route) && MatchPath(route.pattern, request.path)) return &route;
  }
  return nullptr;
}

bool Routes::Serves(const Route& route) const {
  if (route.needs == RouteNeeds::kIngest && options_.receiver == nullptr) return false;
  if (route.needs == RouteNeeds::kConsole && !options_.console) return false;
  switch (route.audience) {
    case Audience::kAnybody:
    case Audience::kToken:
      return !options_.admin;
    case Audience::kAdmin:
      return options_.admin;
    case Audience::kOwner:
      return !options_.admin && owner_.any();
  }
  return false;
}

Methods Routes::MethodsAt(std::string_view path) const {
  Methods methods = 0;
  for (const Route& route : Table()) {
    if (Serves(route) && MatchPath(route.pattern, path)) methods |= route.methods;
  }
  return methods;
}

Methods Routes::AllMethods() const {
  Methods methods = 0;
  for (const Route& route : Table()) {
    if (Serves(route)) methods |= route.methods;
  }
  return methods;
}

// What is near is told of this listener's routes alone, and quotes nothing of the path.
HttpResponse Routes::NotFound(std::string_view path, RequestRecord& record) const {
  std::vector<std::string> plain, named;
  for (const Route& route : Table()) {
    if (!Serves(route)) continue;
    (route.pattern.find('{') == route.pattern.npos ? plain : named).emplace_back(route.pattern);
  }
  std::string near = DidYouMean(path, plain);
  if (options_.admin) {
    near = base::StrCat("; the admin listener has ", base::Join(plain, " and "));
  } else if (near.empty()) {
    // As if the path's last part were a name.
    near = DidYouMean(base::StrCat(path.substr(0, path.rfind('/') + 1), "{endpoint}"), named);
  }
  return AnswerHttpError(404, base::StrCat("there is nothing at this path", near), record);
}

HttpResponse Routes::Dispatch(const HttpRequest& request, RequestRecord& record) {
  const Methods method = MethodNamed(request.method);
  for (const Route& route : Table()) {
    if ((route.methods & method) == 0 || !Serves(route)) continue;
    const std::optional<std::string_view> argument = MatchPath(route.pattern, request.path);
    if (argument) return Run(route, *argument, request, record);
  }
  return MethodNotAllowed(MethodsAt(request.path), record);
}

HttpResponse Routes::Run(const Route& route, std::string_view argument, const HttpRequest& request,
                         RequestRecord& record) {
  Principal principal;
  if (route.audience == Audience::kToken) {
    absl::StatusOr<Principal> known = Authenticate(request);
    if (!known.ok()) return AnswerError(known.status(), true, record);
    principal = *std::move(known);
    record.client = principal.label;
    record.token_id = principal.token_id;
  }
  if (request.method == "POST" && route.needs != RouteNeeds::kIngest && !TakesBody(request)) {
    return AnswerHttpError(415, "a request's body must be JSON (Content-Type: application/json)", record);
  }
  record.route = route.pattern;
  return (this->*route.handler)({request, argument, principal}, record);
}

// Only with a valid token, so that others can't fill the collector.
HttpResponse Routes::Call(const RoutedRequest& request, RequestRecord& record) {
  if (options_.tracer != nullptr) {
    const std::string* const header = request.http.Header("traceparent");
    record.trace = options_.tracer->Begin(header != nullptr ? ContinueTrace(*header) : std::nullopt);
    if (record.trace != nullptr) SetTrace(record.trace->context(), record);
  }
  const bool log_parameters = options_.log_parameters > 0 && IsSampled(options_.log_parameters);
  return CallEndpoint(request.http, request.argument, request.principal, *options_.service, *options_.queue,
                      log_parameters, record);
}

HttpResponse Routes::Health(const RoutedRequest&, RequestRecord&) { return Text(200, R"({"status":"ok"})"); }

HttpResponse Routes::Web(const RoutedRequest& request, RequestRecord& record) {
  std::optional<HttpResponse> file = ConsoleFile(request.http);
  return file ? *std::move(file) : NotFound(request.http.path, record);
}

HttpResponse Routes::MakeCode(const RoutedRequest& request, RequestRecord& record) {
  absl::StatusOr<std::string> token = TokenOf(request.http);
  if (token.ok() && token->empty()) token = absl::InvalidArgumentError("there is no token that a code could stand for");
  if (!token.ok()) return AnswerError(token.status(), true, record);
  const absl::StatusOr<std::string> code = codes_.Make(*std::move(token));
  if (!code.ok()) return AnswerError(code.status(), true, record);
  const nlohmann::ordered_json json = {{"code", *code}, {"expires_in", absl::ToInt64Seconds(SignInCodes::kLifetime)}};
  return Text(200, json.dump());
}

HttpResponse Routes::TakeCode(const RoutedRequest& request, RequestRecord& record) {
  const absl::StatusOr<std::string> code = CodeIn(request.http.body);
  if (!code.ok()) return AnswerError(code.status(), true, record);
  const absl::StatusOr<std::string> token = codes_.Take(*code);
  if (!token.ok()) return AnswerError(AfterFailure(request.http, token.status()), true, record);
  return Text(200, nlohmann::ordered_json{{"token", *token}}.dump());
}

HttpResponse Routes::Stats(const RoutedRequest&, RequestRecord& record) { return owner_.Stats(record); }

HttpResponse Routes::BackUp(const RoutedRequest& request, RequestRecord& record) {
  return owner_.BackUp(request.http, record);
}

HttpResponse Routes::Check(const RoutedRequest& request, RequestRecord& record) {
  return owner_.Check(request.http, record);
}

HttpResponse Routes::Erase(const RoutedRequest& request, RequestRecord& record) {
  return owner_.Erase(request.http, record);
}

HttpResponse Routes::Ready(const RoutedRequest&, RequestRecord&) {
  if (draining_) return Text(503, R"({"status":"unavailable"})");
  if (const absl::Status engine = options_.engine ? options_.engine() : absl::OkStatus(); !engine.ok()) {
    return Text(503, nlohmann::ordered_json{{"status", "unavailable"}, {"reason", base::Message(engine)}}.dump());
  }
  nlohmann::ordered_json json = {{"status", "ready"}};
  if (options_.loading && !options_.loading().ok()) json["loading"] = "stopped";
  if (options_.definitions && !options_.definitions().ok()) json["definitions"] = "outdated";
  if (options_.tokens && !options_.tokens().ok()) json["tokens"] = "outdated";
  return Text(200, json.dump());
}

HttpResponse Routes::ReadyInDetail(const RoutedRequest&, RequestRecord&) {
  const QueryQueue::Use use = options_.queue->use();
  nlohmann::ordered_json loading = {{"state", options_.loading ? "running" : "off"}};
  if (const absl::Status state = options_.loading ? options_.loading() : absl::OkStatus(); !state.ok()) {
    loading = {{"state", "stopped"}, {"reason", std::string(base::Message(state))}};
  }
  const auto registry = options_.service->registry();
  const absl::Status engine = options_.engine ? options_.engine() : absl::OkStatus();
  const bool is_ready = !draining_ && engine.ok();
  nlohmann::ordered_json json = {{"status", is_ready ? "ready" : "unavailable"},
                                 {"stopping", draining_.load()},
                                 {"queries",
                                  {{"running", use.running},
                                   {"threads", use.max_threads},
                                   {"waiting", use.waiting},
                                   {"max_waiting", use.max_waiting}}},
                                 {"loading", loading},
                                 {"endpoints", registry != nullptr ? registry->All().size() : 0}};
  if (const absl::Status state = options_.definitions ? options_.definitions() : absl::OkStatus(); !state.ok()) {
    json["definitions"] = {{"state", "outdated"}, {"reason", std::string(base::Message(state))}};
  }
  if (options_.engine) {
    json["engine"] = {{"state", engine.ok() ? "ready" : "unavailable"}};
    if (!engine.ok()) json["engine"]["reason"] = base::Message(engine);
  }
  if (const absl::Status state = options_.tokens ? options_.tokens() : absl::OkStatus(); !state.ok()) {
    json["tokens"] = {{"state", "outdated"}, {"reason", std::string(base::Message(state))}};
  }
  if (options_.crashes) {
    const CrashCounters counters = options_.crashes();
    json["crashes"] = {{"servers", counters.crashes},         {"suspected", counters.suspected},
                       {"quarantined", counters.quarantined}, {"cleared", counters.cleared},
                       {"refused", counters.refused},         {"running", counters.running},
                       {"overdue", counters.overdue}};
  }
  if (options_.memory) {
    const MemoryWatch::Counters counters = options_.memory();
    json["memory"] = {{"resident_bytes", counters.resident_bytes},
                      {"limit_bytes", counters.limit_bytes},
                      {"queries_ended", counters.ended}};
  }
  return Text(is_ready ? 200 : 503, json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

HttpResponse Routes::List(const RoutedRequest& request, RequestRecord&) {
  const auto registry = options_.service->registry();
  return Text(200, EndpointListJson(EndpointsOf(registry), request.principal));
}

HttpResponse Routes::Show(const RoutedRequest& request, RequestRecord& record) {
  const absl::StatusOr<std::string> name = PercentDecode(request.argument, false);
  if (!name.ok()) return AnswerError(name.status(), true, record);
  const absl::StatusOr<CallTarget> target = options_.service->Find(request.principal, *name);
  if (!target.ok()) return AnswerError(target.status(), true, record);
  const auto registry = options_.service->registry();
  const RegisteredEndpoint* endpoint = registry == nullptr ? nullptr : registry->Find(target->definition->name);
  if (endpoint == nullptr) return AnswerError(absl::NotFoundError("the endpoint has just gone"), true, record);
  return Text(200, EndpointJson(*endpoint, request.principal));
}

HttpResponse Routes::OpenApi(const RoutedRequest& request, RequestRecord&) {
  const auto registry = options_.service->registry();
  std::vector<Route> routes;
  for (const Route& route : Table()) {
    if (route.needs != RouteNeeds::kIngest || options_.receiver != nullptr) routes.push_back(route);
  }
  return Text(200, OpenApiJson(routes, EndpointsOf(registry), request.principal, LOGQUERY_VERSION_STRING));
}

HttpResponse Routes::Ingest(const RoutedRequest& request, RequestRecord& record) {
  return TakeLogs(request.http, request.principal, *options_.receiver, record);
}

HttpResponse Routes::IngestOtlp(const RoutedRequest& request, RequestRecord& record) {
  return TakeOtlp(request.http, request.principal, *options_.receiver, record);
}

HttpResponse Routes::Sources(const RoutedRequest& request, RequestRecord&) {
  return Text(200, SourcesJson(request.principal, *options_.receiver));
}

// Where logs go on to from here: nowhere.
HttpResponse Routes::Backends(const RoutedRequest&, RequestRecord&) { return Text(200, "[]"); }

HttpResponse Routes::Metrics(const RoutedRequest&, RequestRecord& record) {
  if (!options_.metrics) return AnswerError(absl::NotFoundError("metrics are disabled on this server"), true, record);
  HttpResponse response = Text(200, options_.metrics());
  response.content_type = kMetricsContentType;
  return response;
}

HttpResponse Routes::MetricsForToken(const RoutedRequest& request, RequestRecord& record) {
  const Principal& principal = request.principal;
  if (!principal.project_scope && principal.fixed_parameters.empty() && !principal.endpoints) {
    return Metrics(request, record);
  }
  return AnswerError(
      absl::PermissionDeniedError("this token may not see what the server counts: that takes one for all "
                                  "projects and all endpoints"),
      true, record);
}

absl::StatusOr<Principal> Routes::Authenticate(const HttpRequest& request) {
  if (request.admission != nullptr) return request.admission->principal();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string token, TokenOf(request));
  absl::StatusOr<Principal> principal = options_.service->Authenticate(token);
  if (!absl::IsUnauthenticated(principal.status())) return principal;
  if (token.empty()) {
    return absl::UnauthenticatedError(
        "no token was sent: it is expected in the header X-API-KEY: TOKEN or Authorization: Bearer TOKEN");
  }
  return AfterFailure(request, principal.status());
}

absl::Status Routes::AfterFailure(const HttpRequest& request, absl::Status failure) {
  const std::string address = ClientAddress(request, options_.trust_forwarded_for);
  // A token that is known always passes: others at its address, behind one proxy say, can't lock it out. Every other one is
  // told the same, whatever is wrong with it, and counts also while the address has to wait.
  const absl::Duration wait = attempts_.Wait(address);
  attempts_.AddFailure(address);
  if (wait == absl::ZeroDuration()) return failure;
  ErrorDetails details;
  details.retry_after = wait;
  return WithErrorDetails(
      absl::ResourceExhaustedError("too many attempts with a wrong token came from this address; wait a minute"),
      details);
}

}  // namespace logquery::shim
