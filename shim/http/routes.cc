// Finds what serves a path, and answers what nothing serves.
#include "shim/http/routes.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "nlohmann/json.hpp"
#include "shim/http/content_type.h"
#include "shim/http/endpoint_call.h"
#include "shim/http/endpoint_list.h"
#include "shim/sample/sample_text.h"
#include "shim/web_files.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kReads = "GET, HEAD";
constexpr std::string_view kCalls = "GET, HEAD, POST";

struct WebFile {
  std::string_view path;
  std::string_view name;
  std::string_view type;
};
constexpr WebFile kWebFiles[] = {{"/", "index.html", "text/html; charset=utf-8"},
                                 {"/console.js", "console.js", "text/javascript; charset=utf-8"},
                                 {"/console.css", "console.css", "text/css; charset=utf-8"}};

bool IsRead(std::string_view method) { return method == "GET" || method == "HEAD"; }

// The URL's last part when `path` calls an endpoint: an id or a name, as sent.
std::optional<std::string_view> EndpointNameIn(std::string_view path) {
  for (const std::string_view prefix : {"/api/endpoints/query/", "/endpoints/query/"}) {
    if (path.substr(0, prefix.size()) != prefix) continue;
    std::string_view name = path.substr(prefix.size());
    constexpr std::string_view kByName = "name/";
    if (name.substr(0, kByName.size()) == kByName) name.remove_prefix(kByName.size());
    if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
    return name;
  }
  return std::nullopt;
}

bool IsRequestId(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '-';
  });
}

std::string RequestId(const HttpRequest& request) {
  if (const std::string* sent = request.Header("X-Request-Id"); sent != nullptr && IsRequestId(*sent)) return *sent;
  uint64_t random[2] = {};
  // An id is for finding lines in the log: one that repeats, should the kernel have no entropy, does no harm.
  [[maybe_unused]] const ssize_t got = getrandom(random, sizeof(random), 0);
  return Concat(Hex{random[0], 16}, Hex{random[1], 16});
}

HttpResponse Text(int status, std::string_view body) {
  HttpResponse response;
  response.status = status;
  response.body = body;
  return response;
}

HttpResponse MethodNotAllowed(std::string_view allowed, RequestRecord& record) {
  HttpResponse response = AnswerHttpError(405, base::StrCat("this path takes ", allowed), record);
  response.AddHeader("Allow", std::string(allowed));
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

// The headers that every answer has.
void Complete(HttpResponse& response) {
  const bool page = response.content_type.substr(0, 9) == "text/html";
  AddUnlessThere(response, "Cache-Control", "no-store");
  response.AddHeader("Content-Security-Policy",
                     page ? "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                          : "default-src 'none'; frame-ancestors 'none'");
  response.AddHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.AddHeader("Referrer-Policy", "no-referrer");
  AddUnlessThere(response, "Vary", "Accept");
  response.AddHeader("X-Content-Type-Options", "nosniff");
  response.AddHeader("Date", absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", Clock::Real()->Now(), absl::UTCTimeZone()));
}

}  // namespace

Routes::Routes(const RoutesOptions& options)
    : options_(options),
      owner_(options.owner),
      runner_(options.service, options.queries, options.queue_limit),
      attempts_(options.clock) {}

template <typename Answer>
HttpResponse Routes::Logged(const HttpRequest& request, Answer answer) {
  RequestRecord record;
  record.request_id = RequestId(request);
  record.method = request.method;
  record.path = request.path;
  const absl::Duration begin = options_.clock->Monotonic();
  HttpResponse response = answer(record);
  response.AddHeader("X-Request-Id", record.request_id);
  options_.cors.AddHeaders(request, response);
  Complete(response);
  record.status = response.status;
  record.bytes = response.body_bytes();
  record.total = options_.clock->Monotonic() - begin;
  options_.log->Add(record);
  return response;
}

HttpResponse Routes::Handle(const HttpRequest& request) {
  return Logged(request, [&](RequestRecord& record) {
    std::optional<HttpResponse> preflight = options_.cors.AnswerPreflight(request);
    return preflight ? *std::move(preflight) : Dispatch(request, record);
  });
}

HttpResponse Routes::Refuse(const HttpRequest& request, const HttpProblem& problem) {
  return Logged(request, [&](RequestRecord& record) {
    if (problem.status == 405) return MethodNotAllowed(kCalls, record);
    return AnswerHttpError(problem.status, problem.message, record);
  });
}

bool Routes::TakesBody(const HttpRequest& request) {
  const std::string* type = request.Header("Content-Type");
  return request.method == "POST" &&
         (EndpointNameIn(request.path).has_value() || OwnerRoutes::TakesBody(request.path)) &&
         IsJsonContentType(type != nullptr ? *type : std::string());
}

HttpResponse Routes::Dispatch(const HttpRequest& request, RequestRecord& record) {
  if (options_.admin && request.path != "/health" && request.path != "/ready") {
    return AnswerHttpError(404, "there is nothing at this path; the admin listener has /health and /ready", record);
  }
  const std::optional<std::string_view> endpoint = EndpointNameIn(request.path);
  const bool is_list = request.path == "/api/endpoints";
  if (!endpoint.has_value() && !is_list) {
    for (const WebFile& file : kWebFiles) {
      if (request.path != file.path) continue;
      if (!IsRead(request.method)) return MethodNotAllowed(kReads, record);
      HttpResponse response = Text(200, EmbeddedFile(file.name));
      response.content_type = file.type;
      return response;
    }
    if (std::optional<HttpResponse> answer = owner_.Handle(request, record)) return *std::move(answer);
    const bool health = request.path == "/health";
    if (!health && request.path != "/ready") return AnswerHttpError(404, "there is nothing at this path", record);
    if (!IsRead(request.method)) return MethodNotAllowed(kReads, record);
    if (health) return Text(200, R"({"status":"ok"})");
    return options_.admin ? ReadyInDetail() : Ready();
  }
  if (!IsRead(request.method) && !(endpoint.has_value() && request.method == "POST")) {
    return MethodNotAllowed(is_list ? kReads : kCalls, record);
  }
  const absl::StatusOr<std::string> token = TokenOf(request);
  if (!token.ok()) return AnswerError(token.status(), true, record);
  const absl::StatusOr<Principal> principal = Authenticate(request, *token);
  if (!principal.ok()) return AnswerError(principal.status(), true, record);
  record.client = principal->label;
  record.token_id = principal->token_id;
  if (is_list) return List(*principal);
  if (request.method == "POST" && !TakesBody(request)) {
    return AnswerHttpError(415, "a request's body must be JSON (Content-Type: application/json)", record);
  }
  return CallEndpoint(request, *endpoint, {*token, principal->redact_pii}, *options_.service, runner_, record);
}

HttpResponse Routes::Ready() const {
  if (draining_) return Text(503, R"({"status":"unavailable"})");
  const bool stopped = options_.loading && !options_.loading().ok();
  return Text(200, stopped ? R"({"status":"ready","loading":"stopped"})" : R"({"status":"ready"})");
}

HttpResponse Routes::ReadyInDetail() const {
  const WorkerPool::Use use = options_.queries->use();
  nlohmann::ordered_json loading = {{"state", options_.loading ? "running" : "off"}};
  if (const absl::Status state = options_.loading ? options_.loading() : absl::OkStatus(); !state.ok()) {
    loading = {{"state", "stopped"}, {"reason", std::string(base::Message(state))}};
  }
  const auto registry = options_.service->registry();
  nlohmann::ordered_json json = {{"status", draining_ ? "unavailable" : "ready"},
                                 {"stopping", draining_.load()},
                                 {"queries",
                                  {{"running", use.running},
                                   {"threads", use.max_threads},
                                   {"waiting", use.waiting},
                                   {"max_waiting", use.max_waiting}}},
                                 {"loading", loading},
                                 {"endpoints", registry != nullptr ? registry->All().size() : 0}};
  if (options_.crashes) {
    const CrashCounters counters = options_.crashes();
    json["crashes"] = {{"servers", counters.crashes},         {"suspected", counters.suspected},
                       {"quarantined", counters.quarantined}, {"cleared", counters.cleared},
                       {"refused", counters.refused},         {"running", counters.running}};
  }
  if (options_.memory) {
    const MemoryWatch::Counters counters = options_.memory();
    json["memory"] = {{"resident_bytes", counters.resident_bytes},
                      {"limit_bytes", counters.limit_bytes},
                      {"queries_ended", counters.ended}};
  }
  return Text(draining_ ? 503 : 200, json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

HttpResponse Routes::List(const Principal& principal) const {
  std::vector<const Endpoint*> endpoints;
  const auto registry = options_.service->registry();
  if (registry != nullptr) {
    for (const RegisteredEndpoint* endpoint : registry->All()) endpoints.push_back(&endpoint->definition());
  }
  return Text(200, EndpointListJson(endpoints, principal));
}

absl::StatusOr<Principal> Routes::Authenticate(const HttpRequest& request, const std::string& token) {
  const std::string address = ClientAddress(request, options_.trust_forwarded_for);
  absl::StatusOr<Principal> principal = options_.service->Authenticate(token);
  if (token.empty() || !absl::IsUnauthenticated(principal.status())) return principal;
  // A token that is known always passes: others at its address, behind one proxy say, can't lock it out. Every other one is
  // told the same, whatever is wrong with it, and counts also while the address has to wait.
  const absl::Duration wait = attempts_.Wait(address);
  attempts_.AddFailure(address);
  if (wait == absl::ZeroDuration()) return principal;
  ErrorDetails details;
  details.retry_after = wait;
  return WithErrorDetails(
      absl::ResourceExhaustedError("too many attempts with a wrong token came from this address; wait a minute"),
      details);
}

}  // namespace logquery::shim
