// The Model Context Protocol (MCP): gives models the endpoints that a token may call as tools, with everything that holds for the
// token's calls over HTTP.
//
//     auto mcp = logquery::McpServer::Create({.service = service.get(), .queue = queue.get()});
//     logquery::McpCall call;
//     call.message = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
//     call.principal = *service->Authenticate(token);
//     (*mcp)->Handle(std::move(call), [](logquery::McpAnswer answer) { Send(answer.body); });
//
// Speaks the revisions of kMcpRevisions: the present one, in which each request says its revision, and those before it, which begin
// with `initialize`. No session and no state is kept between messages, so that any process can answer any of them. Transports stand
// elsewhere: the HTTP server has the route /mcp, `logquery mcp` is one over standard input and output.
//
// Tools: list_logs, query_logs, explain_error, and one for each endpoint. None writes. Calls run by the queue, so a token's scope, limits
// and redaction hold, and the records of calls are the same. Rows, names of fields and messages of errors are what outsiders wrote:
// results say so, show control and invisible characters as text, and have a bounded length. docs/mcp.md describes the tools.
//
// Thread-safe. The service and the queue are borrowed; the queue must be stopped before the server is destroyed.
#ifndef LOGQUERY_SERVING_MCP_SERVER_H_
#define LOGQUERY_SERVING_MCP_SERVER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/call_trace.h"
#include "logquery/cancellation.h"
#include "logquery/endpoint.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"

namespace logquery {

// The newest first.
inline constexpr std::array<std::string_view, 5> kMcpRevisions = {"2026-07-28", "2025-11-25", "2025-06-18",
                                                                  "2025-03-26", "2024-11-05"};

struct McpOptions {
  QueryService* service = nullptr;             // required
  QueryQueue* queue = nullptr;                 // required: runs the calls; of the same service
  size_t max_message_bytes = size_t{1} << 20;  // of one message to the server
  size_t max_result_bytes = size_t{64} << 10;  // of a tool's rows as text; further rows are left out, and that is said
  size_t max_cell_bytes = size_t{2} << 10;     // of a text in a row; a longer one is cut, and that is said
  int64_t default_rows = 100;                  // that a call returns unless it asks for another number
  size_t tools_per_page = 100;                 // of tools/list
  std::string_view default_endpoint = "logs.all";  // the endpoint whose logs list_logs and query_logs read
};

// Headers of HTTP, which repeat a part of the message for programs on the way that do not read messages.
struct McpHeaders {
  std::optional<std::string> version;  // MCP-Protocol-Version
  std::optional<std::string> method;   // Mcp-Method
  std::optional<std::string> name;     // Mcp-Name
  bool session = false;                // whether there is an Mcp-Session-Id
};

struct McpCall {
  std::string_view message;  // borrowed until Handle returns
  Principal principal;
  std::optional<McpHeaders> headers;   // nullopt: the transport has none
  std::optional<std::string> project;  // limits the call to this project, as a token for it would
  bool redact_pii = false;             // as in QueryRequest
  CancellationToken cancellation;
  std::string call_id = {};  // these three: as in QueryRequest
  std::string traceparent = {};
  std::shared_ptr<CallTrace> trace = nullptr;
};

struct McpAnswer {
  enum class Kind {
    kAnswer,         // of a request; also an error of a tool
    kNothing,        // the message wants no answer; the body is empty
    kInvalid,        // the message is not what the protocol says: over HTTP, 400
    kUnknownMethod,  // over HTTP, 404
    kNoSession,      // the message belongs to a session that the server never made: over HTTP, 404
    kForbidden,      // the principal is for another project than the call: over HTTP, 403
  };
  Kind kind = Kind::kAnswer;
  std::string body;  // one JSON-RPC message without a line break

  // For logs.
  std::string_view method;  // of the protocol; empty: it is unknown
  // The endpoint that a tool calls, what it was sent, and how the call ended.
  std::shared_ptr<const Endpoint> endpoint;
  ParameterTexts parameters;
  Labels labels;
  bool redacted = false;  // whether messages are redacted
  bool dry_run = false;
  bool denied = false;     // the tool is none of the principal's, which may only call some endpoints
  absl::Status status;     // also of the tool and of the message; may have internal details
  int64_t rows = -1;       // -1: no result
  std::string_view cache;  // "kept", "computed"; empty: no endpoint was called
  absl::Duration queued, parse, plan, execute, redact, encode;
};

class McpServer {
 public:
  using Done = std::function<void(McpAnswer)>;

  // InvalidArgument: there is no service or no queue, or a limit is 0.
  static absl::StatusOr<std::unique_ptr<McpServer>> Create(const McpOptions& options);
  virtual ~McpServer() = default;

  // Answers one message. Calls `done` once: during Handle, or on a thread of the queue. It must not throw.
  virtual void Handle(McpCall call, Done done) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_SERVING_MCP_SERVER_H_
