// Translates between HTTP and the library's McpServer.
#include "shim/http/calls/mcp_call.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lib/base/await_answer.h"
#include "lib/base/call_parameters.h"
#include "lib/base/error_body.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "shim/http/calls/call_record.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/calls/token_check.h"

namespace logquery::shim {
namespace {

std::optional<std::string> HeaderOf(const HttpRequest& request, std::string_view name) {
  const std::string* const header = request.Header(name);
  return header != nullptr ? std::optional<std::string>(*header) : std::nullopt;
}

// Returns whether the client takes answers of the type, or of all of its kind.
bool Accepts(const HttpRequest& request, std::string_view type, std::string_view kind) {
  const std::string* const accept = request.Header("Accept");
  if (accept == nullptr || accept->empty()) return true;
  const std::string types = base::ToLower(*accept);
  for (const std::string_view one : {type, kind, std::string_view("*/*")}) {
    if (types.find(one) != types.npos) return true;
  }
  return false;
}

int StatusOf(McpAnswer::Kind kind) {
  switch (kind) {
    case McpAnswer::Kind::kAnswer:
      return 200;
    case McpAnswer::Kind::kNothing:
      return 202;
    case McpAnswer::Kind::kInvalid:
      return 400;
    case McpAnswer::Kind::kForbidden:
      return 403;
    case McpAnswer::Kind::kUnknownMethod:
    case McpAnswer::Kind::kNoSession:
      break;
  }
  return 404;
}

void RecordAnswer(const McpAnswer& answer, bool log_parameters, HttpRequestRecord& record) {
  record.denied = answer.denied;
  record.labels = answer.labels;
  record.rows = answer.rows;
  record.cache = answer.cache;
  record.queued = answer.queued;
  record.parse = answer.parse;
  record.plan = answer.plan;
  record.execute = answer.execute;
  record.redact = answer.redact;
  record.encode = answer.encode;
  if (answer.endpoint != nullptr) {
    record.endpoint = answer.endpoint->name;
    QueryRequest query;
    query.parameters = answer.parameters;
    query.redact_pii = answer.redacted;
    RecordQuery(query, log_parameters && !answer.dry_run, record);
  }
  if (answer.status.ok()) return;
  // Without an endpoint, the message quotes what the caller sent.
  record.error = answer.endpoint != nullptr
                     ? LoggedError(answer.status, *answer.endpoint, record)
                     : base::StrCat(absl::StatusCodeToString(answer.status.code()), "; the answer says why");
}

// The project in the URL.
absl::StatusOr<std::optional<std::string>> ProjectOf(const HttpRequest& request) {
  const absl::StatusOr<ParameterTexts> parameters = base::ParseQueryString(request.query);
  if (!parameters.ok()) return parameters.status();
  std::optional<std::string> project;
  for (const auto& [name, text] : *parameters) {
    if (name != "project" || text.empty()) {
      return base::WrongParameter(name,
                                  "is not known; the URL of MCP takes project=REF alone, and tools have arguments");
    }
    project = text;
  }
  return project;
}

}  // namespace

HttpResponse CallMcp(Exchange& exchange, McpServer& mcp, QueryService& service, const std::atomic<bool>& stopping,
                     bool log_parameters) {
  const HttpRequest& request = exchange.http;
  HttpRequestRecord& record = exchange.record;
  if (!Accepts(request, "application/json", "application/*")) {
    return AnswerHttpError(406, "answers are application/json; the request accepts only others", record);
  }
  absl::StatusOr<std::optional<std::string>> project = ProjectOf(request);
  if (!project.ok()) return AnswerError(project.status(), true, record);
  CancellationSource cancellation;
  McpCall call;
  call.message = request.body;
  call.principal = **exchange.principal;
  call.headers = {HeaderOf(request, "MCP-Protocol-Version"), HeaderOf(request, "Mcp-Method"),
                  HeaderOf(request, "Mcp-Name"), request.Header("Mcp-Session-Id") != nullptr};
  call.project = *std::move(project);
  call.redact_pii = AsksToRedact(request);
  call.can_listen = Accepts(request, "text/event-stream", "text/*");
  call.cancellation = cancellation.token();
  call.call_id = record.request_id;
  call.traceparent = record.traceparent;
  call.trace = record.trace;
  std::optional<McpAnswer> answer = base::AwaitWhileConnected<McpAnswer>(
      request.client_left, cancellation,
      [&mcp, &call](McpServer::Done done) { mcp.Handle(std::move(call), std::move(done)); });
  if (!answer) return AnswerError(absl::CancelledError("the client left"), false, record);
  RecordAnswer(*answer, log_parameters, record);
  HttpResponse response;
  response.status = StatusOf(answer->kind);
  if (answer->subscription != nullptr) {
    response.content_type = "text/event-stream";
    response.AddHeader("X-Accel-Buffering", "no");  // of nginx, which would keep events back
    response.body = McpEvents::EventOf(answer->body);
    const auto events = std::make_shared<McpEvents>(
        std::move(answer->subscription),
        [&service, token = TokenOf(request).value_or("")] { return service.Authenticate(token); },
        [&stopping] { return stopping.load(); });
    response.next_piece = [events] { return events->Next(); };
    return response;
  }
  response.body = std::move(answer->body);
  return response;
}

}  // namespace logquery::shim
