// Calls endpoints as any client of the HTTP interface does.
#include "shim/cli/query/query_by_url.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "logquery/cancellation.h"
#include "shim/cli/query/http_answer.h"
#include "shim/cli/query/remote_server.h"
#include "shim/cli/query/row_format.h"
#include "shim/http/calls/content_type.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr std::string_view kLogs = "logs.all";
constexpr std::string_view kLogsInClickHouse = "logs.all.otel";
constexpr std::string_view kOwnLogs = "my.logs";

// How much longer the client waits than the query may take, so that the server's own error about it arrives.
constexpr absl::Duration kGrace = absl::Seconds(10);

absl::StatusOr<Json> ParametersOf(const SqlArguments& call) {
  Json parameters = {{"sql", call.sql}};
  if (!call.project.empty()) parameters["project"] = call.project;
  for (const std::string& given : call.parameters) {
    const size_t equals = given.find('=');
    const std::string name = given.substr(0, equals);
    if (equals == given.npos || name.empty()) {
      return absl::InvalidArgumentError(base::StrCat("--parameter ", given, " is not NAME=VALUE"));
    }
    if (parameters.contains(name)) {
      return absl::InvalidArgumentError(base::StrCat("parameter ", name, " is given twice"));
    }
    parameters[name] = given.substr(equals + 1);
  }
  if (call.int64_as_string) parameters["int64"] = "string";
  if (call.csv_safe) parameters["csv_safe"] = "true";
  return parameters;
}

class Caller {
 public:
  Caller(RemoteServer& server, const SqlArguments& call, Json parameters)
      : server_(server), call_(call), parameters_(std::move(parameters)) {}

  absl::StatusOr<ServerResponse> Run(std::string_view endpoint) {
    HttpRequest request = RequestTo(endpoint);
    // By header, as the endpoint may have a parameter `format` of its own.
    request.headers.emplace_back("Accept", std::string(ContentTypeOf(RowFormatNamed(call_.format))));
    if (call_.format == "table") request.headers.emplace_back(kWantColumns, "true");
    if (call_.redact_pii) request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
    request.body = parameters_.ToString();
    return server_.Ask(request, CancellationToken());
  }

  // Returns whether the endpoint would run the SQL; nullopt: the token can't call such an endpoint.
  std::optional<bool> Takes(std::string_view endpoint) {
    HttpRequest request = RequestTo(endpoint);
    request.body = Json({{"sql", call_.sql}, {"dry_run", "true"}}).ToString();
    const absl::StatusOr<ServerResponse> response = server_.Ask(request, CancellationToken());
    if (!response.ok() || response->status != 200) return std::nullopt;
    const std::optional<Json> verdict = base::TryReadJson(response->body);
    if (!verdict || !verdict->is_object()) return std::nullopt;
    return verdict->value("allowed", false);
  }

 private:
  static HttpRequest RequestTo(std::string_view endpoint) {
    HttpRequest request;
    request.method = "POST";
    request.path = base::StrCat("/api/endpoints/query/", base::PercentEncode(endpoint));
    request.headers = {{"Content-Type", "application/json"}};
    return request;
  }

  RemoteServer& server_;
  const SqlArguments& call_;
  const Json parameters_;
};

bool IsError(const ServerResponse& response) {
  const std::optional<Json> json = base::TryReadJson(response.body);
  return json && json->is_object() && json->contains("error");
}

int PrintErrorOf(const RemoteServer& server, const ServerResponse& response, const SqlArguments& call,
                 const Terminal& terminal) {
  const bool is_for_programs = call.format == "json" || call.format == "json-rows";
  if (!is_for_programs || !IsError(response)) {
    return Fail(terminal, absl::UnknownError(ErrorOfResponse(server, response, true)));
  }
  PrintBody(response.body, terminal);
  return kExitFailed;
}

}  // namespace

int QueryByUrl(const SqlArguments& call, const Terminal& terminal) {
  absl::StatusOr<Json> parameters = ParametersOf(call);
  if (!parameters.ok()) return Fail(terminal, parameters.status());
  const absl::StatusOr<std::unique_ptr<RemoteServer>> server =
      RemoteServer::Create(call.server, absl::Seconds(call.service.time_limit_seconds) + kGrace);
  if (!server.ok()) return Fail(terminal, server.status());
  Caller caller(**server, call, *std::move(parameters));
  const bool may_choose = call.endpoint.empty() && call.language != "clickhouse";
  const std::string_view first = may_choose ? kLogs : call.endpoint.empty() ? kLogsInClickHouse : call.endpoint;
  absl::StatusOr<ServerResponse> response = caller.Run(first);
  bool has_own_logs = false;
  if (may_choose && response.ok() && (response->status == 400 || response->status == 404)) {
    const std::optional<bool> takes = caller.Takes(kOwnLogs);
    // An error about the logs that the token can call is better than one about an endpoint that it can't.
    const bool is_own = takes.has_value() && (*takes || response->status == 404);
    has_own_logs = takes.has_value() && !is_own;
    if (is_own) response = caller.Run(kOwnLogs);
  }
  if (!response.ok()) return Fail(terminal, response.status());
  if (response->status == 200) {
    const int code = PrintHttpRows(*response, call.format, terminal);
    PrintHttpNotes(*response, terminal);
    return code;
  }
  const int code = PrintErrorOf(**server, *response, call, terminal);
  if (has_own_logs) {
    terminal.err << "logquery: " << kLogs << " was asked; --endpoint " << kOwnLogs << " asks the logs of your own\n";
  }
  return code;
}

}  // namespace logquery::shim
