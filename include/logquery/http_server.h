// Serves a QueryService over HTTP: endpoints and callers' SQL, logs from senders, health, metrics, an OpenAPI document and the
// console. docs/http.md and docs/ingest.md describe the routes.
//
//     logquery::HttpServerOptions options;
//     options.service = service.get();                       // query_service.h
//     options.queue = queue.get();                           // serving/query_queue.h
//     options.listen.address = "127.0.0.1:4000";
//     absl::StatusOr<std::unique_ptr<logquery::HttpServer>> server = logquery::HttpServer::Create(options);
//     absl::Status started = (*server)->Start();
//     …
//     (*server)->Stop(absl::Seconds(30));
//     (*server)->Wait();
//
// HTTP sends tokens unencrypted: listen on a loopback address or a Unix socket, behind a proxy with TLS. Slow and silent clients
// occupy no thread, bodies are read only after their token was checked, and everything that a caller controls has a limit.
//
// Thread-safe. Everything that the options point to is borrowed, and must outlive the server. Link logquery::http_server.
#ifndef LOGQUERY_HTTP_SERVER_H_
#define LOGQUERY_HTTP_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/http_observer.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"

namespace logquery {

class LogReceiver;   // serving/log_receiver.h
class McpServer;     // serving/mcp_server.h
class SavedQueries;  // serving/saved_queries.h

struct HttpListener {
  std::string address = "127.0.0.1:0";  // "HOST:PORT", "[::1]:PORT"; port 0: any free port
  std::string unix_path = {};           // replaces the address: a Unix socket, accessible only to its owner
  int fd = -1;                          // replaces both: a socket that is already listening; owned from Create on
  bool shared = false;                  // other processes hold that socket too: Stop leaves it listening
  // Concurrent requests; as many again wait for their turn, and further ones get 503. Twice as many connections may wait for a
  // request; beyond that, one that has waited long is closed. /health and /ready never wait.
  int max_connections = 512;
};

struct HttpLimits {
  absl::Duration idle = absl::Seconds(5);      // a connection between requests, and before the first one
  absl::Duration receive = absl::Seconds(20);  // a whole head
  absl::Duration send = absl::Seconds(60);     // a whole response
  int64_t least_upload = 16 << 10;             // bytes a second of a body, over 20 seconds or a shorter time
  int max_requests = 1'000;                    // on one connection
};

// A call of an action.
struct HttpActionCall {
  std::string_view body;              // JSON; empty for a GET
  CancellationToken stopping;         // the server's time to stop is over
  std::function<bool()> client_left;  // may be called repeatedly on this thread
};

// A further route, without a token.
struct HttpAction {
  std::string path;   // "/backup"
  bool posts = true;  // POST with a JSON body; otherwise GET and HEAD
  // Returns the response's JSON. Errors are reported in full, including internal ones.
  std::function<absl::StatusOr<std::string>(const HttpActionCall& call)> run;
};

struct HttpServerOptions {
  QueryService* service = nullptr;     // required
  QueryQueue* queue = nullptr;         // required: runs the calls; of the same service
  HttpObserver* observer = nullptr;    // receives each request
  const Clock* clock = Clock::Real();  // of the limits for wrong tokens, and of the observer's times
  // Failed attempts with tokens are counted by the last address in X-Forwarded-For, which the proxy added.
  bool trust_forwarded_for = false;
  // Takes a token from ?api_key= too, for clients that can send no header. Proxies and browsers store URLs, with such tokens.
  bool api_key_in_query = false;
  LogReceiver* receiver = nullptr;  // accepts logs; nullptr: there are no routes for logs
  McpServer* mcp = nullptr;         // of the same service and queue, answers POST /mcp; nullptr: there is no such route
  SavedQueries* saved = nullptr;    // of the same service: keeps queries; nullptr: there are no routes for them
  HttpListener listen = {};
  // Serves administrators, without a token: /health, /ready with more details, and /metrics. Absent: there is no such listener.
  std::optional<HttpListener> admin = {};
  std::vector<std::string> admin_hosts = {};  // names of the admin listener beside localhost and IP addresses
  bool allow_remote = false;                  // listeners may have addresses that other machines can reach
  HttpLimits limits = {};
  std::vector<std::string> cors_origins = {};  // sites whose pages may call from a browser, as "https://host"
  bool console = true;                         // whether to serve the console, a page to explore endpoints and logs
  double log_parameters = 0;                   // the share of calls, 0 to 1, whose parameters and SQL the observer gets
  // Actions of the non-admin listener. They require no token, so it must be reachable only by those who may call them.
  std::vector<HttpAction> actions = {};

  // The server's state. An empty function: the server has no such part. /ready reports only which part is not OK; the admin's also
  // reports the message, which must not contain secrets.
  std::function<absl::Status()> engine = {};       // whether the engine can be reached; if not, /ready fails
  std::function<absl::Status()> loading = {};      // whether logs are accepted
  std::function<absl::Status()> definitions = {};  // whether the definitions in use are those of their source
  std::function<absl::Status()> tokens = {};       // whether the tokens in use are those of their file
  std::function<std::string()> details = {};       // further members of the admin's /ready: a JSON object
  std::function<std::string()> metrics = {};       // the response to /metrics, in Prometheus' text format
  // The response to /api/projects, in JSON; tokens of all projects and endpoints get it. An empty function: there is no such route.
  std::function<absl::StatusOr<std::string>(const Principal& principal, const QueryRequest& request,
                                            const std::function<bool()>& client_left)>
      projects = {};
};

struct HttpServerState {
  bool stopping = false;
  int64_t connections = 0;  // that are open, of all listeners
  // Since the server was created:
  int64_t heads = 0;           // of requests that were parsed
  int64_t route_look_ups = 0;  // one for each of these
  int64_t refused = 0;         // requests that got 503 because too many waited
};

class HttpServer {
 public:
  // Starts listening; connections wait until Start.
  //   InvalidArgument    a required option is missing; an address or a CORS origin is malformed; an address can be reached from
  //                      other machines, and that is not allowed
  //   Unavailable        the port is in use
  //   PermissionDenied   the system does not allow the address
  //   ResourceExhausted  the system allows too few threads
  static absl::StatusOr<std::unique_ptr<HttpServer>> Create(HttpServerOptions options);
  // Calls Stop(0) and Wait.
  virtual ~HttpServer() = default;

  // Serves on threads of its own, until Stop. Calls `stopped`, on one of them, when the last request has been answered after that.
  // May be called once. ResourceExhausted: the system allows no further thread; nothing is served.
  virtual absl::Status Start(std::function<void()> stopped) = 0;
  absl::Status Start() { return Start(nullptr); }
  // Makes /ready fail, accepts no further connections, lets requests finish for at most `grace`, then cancels their queries and
  // closes their connections. Returns at once. May be called again with a shorter time.
  virtual void Stop(absl::Duration grace) = 0;
  // Returns when all threads of Start have ended.
  virtual void Wait() = 0;

  virtual int port() const = 0;        // 0: a Unix socket
  virtual int admin_port() const = 0;  // 0: there is no such listener
  virtual HttpServerState state() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_HTTP_SERVER_H_
