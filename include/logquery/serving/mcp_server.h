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
// with `initialize`. No session is kept between messages, so that any process can answer any of them. Transports stand elsewhere:
// the HTTP server has the route /mcp, `logquery mcp` is one over standard input and output.
//
// A client of the present revision that asks to listen is told when its list of tools changes, by a McpSubscription: the
// transport asks that for messages, and sends them. It is the only state, and ends with the client's request.
//
// Tools: list_logs, query_logs, explain_error, and one for each endpoint. None writes. Calls run by the queue, so a token's
// scope, limits and redaction hold, and the records of calls are the same. Rows, names of fields and messages of errors are what
// outsiders wrote: results say so, show control and invisible characters as text, and have a bounded length. docs/mcp.md
// describes the tools.
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
#include <utility>

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
  int max_listeners = 64;                      // clients that listen for changes at one time
  int max_listeners_per_token = 8;             // of these, with one token
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
  bool can_listen = false;             // whether the transport can send more than one message for a request
  CancellationToken cancellation;
  std::string call_id = {};  // these three: as in QueryRequest
  std::string traceparent = {};
  std::shared_ptr<CallTrace> trace = nullptr;
};

// The changes that a client listens to after subscriptions/listen. Used by one thread at a time. Must be destroyed before its
// server; that frees its place among max_listeners.
class McpSubscription {
 public:
  virtual ~McpSubscription() = default;

  // Returns a message for the client if its tools have changed since the last call, otherwise an empty text. `principal` is the
  // caller's, looked up again. nullopt: it may not call here any more, and nothing is to be sent to it. Cheap while nothing
  // changes.
  virtual std::optional<std::string> Next(const Principal& principal) = 0;
  // Returns the last message, for a server that stops.
  virtual std::string End() const = 0;
};

// A subscription as events for a client of HTTP (text/event-stream), for one thread that writes them. Looks for changes rather
// than waits for them: a look costs little, and the client has to be looked after, too.
class McpEvents {
 public:
  // `authenticate` returns the caller's principal by now. Both are called by Next.
  McpEvents(std::shared_ptr<McpSubscription> subscription, std::function<absl::StatusOr<Principal>()> authenticate,
            std::function<bool()> is_stopping)
      : subscription_(std::move(subscription)),
        authenticate_(std::move(authenticate)),
        is_stopping_(std::move(is_stopping)) {}

  static std::string EventOf(std::string_view message);
  // Returns what to send after a quarter of a second; an empty text: nothing yet, and the client may have left. A comment comes
  // every 15 seconds, as proxies end a connection on which nothing comes for some time. nullopt: the subscription has ended.
  std::optional<std::string> Next();

 private:
  const std::shared_ptr<McpSubscription> subscription_;
  const std::function<absl::StatusOr<Principal>()> authenticate_;
  const std::function<bool()> is_stopping_;
  int silent_looks_ = 0;
  bool has_ended_ = false;
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
  // Set if the request was to listen: `body` confirms it, and the subscription's messages follow until the client leaves.
  std::shared_ptr<McpSubscription> subscription;

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
