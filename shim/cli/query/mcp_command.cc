// The command mcp: answers messages on standard input with a service of its own, or passes them on to the server that has the folder.
#include <memory>
#include <optional>
#include <string>
#include <utility>

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
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"

namespace logquery::shim {
namespace {

// Messages that wait for the server at one time.
constexpr int kServerThreads = 8;

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
  request.path = "/mcp";
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

// The server's answer as a message; nothing for a notification.
std::string AnswerOf(std::string_view message, const absl::StatusOr<HttpResponse>& response) {
  if (response.ok() && response->status == 202) return "";
  if (response.ok()) {
    const std::optional<base::Json> json = base::TryReadJson(response->body);
    if (json && json->is_object() && json->contains("jsonrpc")) return response->body;
  }
  const serving::RpcMessage request = serving::ParseRpcMessage(message, McpStream::kMaxLineBytes);
  if (request.kind != serving::RpcMessage::Kind::kRequest) return "";
  const std::string problem = response.ok()
                                  ? base::StrCat("the server that has the data folder answered ", response->status)
                                  : std::string(base::Message(response.status()));
  return serving::RpcErrorText(request.id, {serving::kRpcInternalError, problem, nullptr});
}

int ServeByServer(const McpArguments& arguments, const Terminal& terminal) {
  if (!arguments.service.now.empty() || !arguments.service.endpoints.empty()) {
    return Fail(terminal,
                absl::InvalidArgumentError(base::StrCat(
                    "a server has ", arguments.service.data, " open and answers with its own settings: leave ",
                    arguments.service.now.empty() ? "--endpoints" : "--now", " out, or give it to the server")));
  }
  base::WorkerPool pool(kServerThreads, McpStream::kMaxRunning);
  McpStream stream(
      [&](std::string_view message, const CancellationToken&, const McpStream::Done& done) {
        const bool is_taken = pool.Submit([text = std::string(message), done, &arguments] {
          done(AnswerOf(text, AskServer(arguments.service.data, RequestOf(text, arguments))));
        });
        if (!is_taken) done(AnswerOf(message, absl::UnavailableError("too many messages wait; try again in a moment")));
      },
      terminal.out);
  return stream.Serve(terminal.in) ? kExitOk : kExitFailed;
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
  if (const absl::Status backend = ReadBackend(arguments.service); !backend.ok()) return Fail(terminal, backend);
  // The process that holds the folder has it alone, and answers for it.
  if (!arguments.service.data.empty() && HasServer(arguments.service.data)) return ServeByServer(arguments, terminal);
  return ServeByDeployment(arguments, terminal);
}

}  // namespace logquery::shim
