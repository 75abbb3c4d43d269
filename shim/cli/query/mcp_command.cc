// The command mcp: answers messages on standard input with a service of its own, or passes them on to the server that has the
// folder or that --url names.
#include <functional>
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
#include "lib/base/worker_pool.h"
#include "lib/serving/mcp/json_rpc.h"
#include "lib/serving/mcp/revision.h"
#include "logquery/serving/mcp_server.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/mcp_stream.h"
#include "shim/cli/query/remote_server.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kMcpPath = "/mcp";

// Messages that wait for the server at one time.
constexpr int kServerThreads = 8;
// How long a server elsewhere may take for an answer. Its own limits of queries are shorter.
constexpr absl::Duration kServerTimeLimit = absl::Minutes(10);

// A server that answers messages over HTTP.
struct McpUpstream {
  std::string name;  // for errors
  std::function<absl::StatusOr<ServerResponse>(const HttpRequest& request, const CancellationToken& cancellation)> ask;
};

Principal PrincipalOf(const McpArguments& arguments) {
  Principal principal;
  principal.label = "mcp";
  if (!arguments.project.empty()) principal.project_scope = arguments.project;
  principal.redact_pii = arguments.redact_pii;
  return principal;
}

HttpRequest RequestOf(std::string_view message, const McpArguments& arguments) {
  HttpRequest request;
  request.method = "POST";
  request.path = kMcpPath;
  if (!arguments.project.empty()) {
    base::StrAppend(&request.path, "?project=", base::PercentEncode(arguments.project));
  }
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  if (arguments.redact_pii) request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
  const McpHeaders headers = serving::HeadersOf(serving::ParseRpcMessage(message, McpStream::kMaxLineBytes));
  const auto add = [&request](const char* name, const std::optional<std::string>& value) {
    if (value) request.headers.emplace_back(name, *value);
  };
  add("MCP-Protocol-Version", headers.version);
  add("Mcp-Method", headers.method);
  add("Mcp-Name", headers.name);
  request.body = message;
  return request;
}

// The server's answer as a message; nothing for a notification. An answer that is no message, such as that to an expired token,
// is an error of the protocol with what it says.
std::string AnswerOf(const McpUpstream& server, std::string_view message,
                     const absl::StatusOr<ServerResponse>& response) {
  if (response.ok() && response->status == 202) return "";
  std::string problem = response.ok() ? base::StrCat(server.name, " answered ", response->status)
                                      : std::string(base::Message(response.status()));
  base::Json data = nullptr;
  if (response.ok()) {
    const std::optional<base::Json> json = base::TryReadJson(response->body);
    if (json && json->is_object() && json->contains("jsonrpc")) {
      return response->body.find('\n') == std::string::npos ? response->body : json->ToString();
    }
    if (json && json->is_object() && json->contains("error") && (*json)["error"].is_object()) {
      base::StrAppend(&problem, ": ", (*json)["error"].value("message", ""));
    }
    if (response->status == 404) problem += "; a server started with --mcp has /mcp";
    data = {{"http_status", response->status}};
  }
  const serving::RpcMessage request = serving::ParseRpcMessage(message, McpStream::kMaxLineBytes);
  if (request.kind != serving::RpcMessage::Kind::kRequest) return "";
  return serving::RpcErrorText(request.id, {serving::kRpcInternalError, problem, std::move(data)});
}

int Forward(const McpArguments& arguments, const McpUpstream& server, const Terminal& terminal) {
  base::WorkerPool pool(kServerThreads, McpStream::kMaxRunning);
  McpStream stream(
      [&](std::string_view message, const CancellationToken& cancellation, const McpStream::Done& done) {
        const bool is_taken = pool.Submit([text = std::string(message), cancellation, done, &arguments, &server] {
          done(AnswerOf(server, text, server.ask(RequestOf(text, arguments), cancellation)));
        });
        if (is_taken) return;
        done(AnswerOf(server, message, absl::UnavailableError("too many messages wait; try again in a moment")));
      },
      terminal.out);
  return stream.Serve(terminal.in) ? kExitOk : kExitFailed;
}

int ServeByServer(const McpArguments& arguments, const Terminal& terminal) {
  if (!arguments.service.now.empty() || !arguments.service.endpoints.empty()) {
    return Fail(terminal,
                absl::InvalidArgumentError(base::StrCat(
                    "a server has ", arguments.service.data, " open and answers with its own settings: leave ",
                    arguments.service.now.empty() ? "--endpoints" : "--now", " out, or give it to the server")));
  }
  const McpUpstream server = {"the server that has the data folder",
                              [&arguments](const HttpRequest& request, const CancellationToken&) {
                                return AskServer(arguments.service.data, request);
                              }};
  return Forward(arguments, server, terminal);
}

int ServeByUrl(const McpArguments& arguments, const Terminal& terminal) {
  RemoteArguments given = arguments.server;
  // The address of clients that speak HTTP has this path.
  while (given.url.ends_with('/')) given.url.pop_back();
  if (given.url.ends_with(kMcpPath)) given.url.resize(given.url.size() - kMcpPath.size());
  const absl::StatusOr<std::unique_ptr<RemoteServer>> server = RemoteServer::Create(given, kServerTimeLimit);
  if (!server.ok()) return Fail(terminal, server.status());
  const McpUpstream upstream = {(*server)->url(),
                                [&server](const HttpRequest& request, const CancellationToken& cancellation) {
                                  return (*server)->Ask(request, cancellation);
                                }};
  return Forward(arguments, upstream, terminal);
}

int ServeByDeployment(const McpArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = OpenToRead(arguments.service);
  if (!deployment.ok()) return Fail(terminal, deployment.status());
  const absl::StatusOr<std::unique_ptr<McpServer>> mcp =
      McpServer::Create({.service = &(*deployment)->service(), .queue = &(*deployment)->queue()});
  if (!mcp.ok()) return Fail(terminal, mcp.status());
  McpStream stream(
      [&](std::string_view message, const CancellationToken& cancellation, McpStream::Done done) {
        McpCall call;
        call.message = message;
        call.principal = PrincipalOf(arguments);
        call.cancellation = cancellation;
        (*mcp)->Handle(std::move(call), [done = std::move(done)](McpAnswer answer) { done(std::move(answer.body)); });
      },
      terminal.out);
  const bool is_written = stream.Serve(terminal.in);
  (*deployment)->Stop();
  return is_written ? kExitOk : kExitFailed;
}

}  // namespace

int RunMcp(const McpArguments& given, const Terminal& terminal) {
  McpArguments arguments = given;
  if (!arguments.server.url.empty()) return ServeByUrl(arguments, terminal);
  if (const absl::Status backend = ReadBackend(arguments.service); !backend.ok()) return Fail(terminal, backend);
  // The process that holds the folder has it alone, and answers for it.
  if (!arguments.service.data.empty() && HasServer(arguments.service.data)) return ServeByServer(arguments, terminal);
  return ServeByDeployment(arguments, terminal);
}

}  // namespace logquery::shim
