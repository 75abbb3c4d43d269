// Carries HTTP: sockets, connections and their threads. What is answered is decided by routes.h.
//
//     absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Bind({}, &routes);
//     std::thread stopper([&] { …; (*server)->Stop(absl::Seconds(30)); });
//     (*server)->Serve();
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_HTTP_SERVER_H_
#define LOGQUERY_SHIM_HTTP_HTTP_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shim/http/connection.h"
#include "shim/http/listener.h"
#include "shim/http/routes.h"

namespace logquery::shim {

struct HttpServerOptions {
  ListenAddress address{"127.0.0.1", 0};
  std::string unix_path = {};  // in place of the address: a socket of this machine's, for its owner alone
  int listening_fd = -1;       // in place of both: a socket that listens already; owned
  bool shared = false;         // others hold that socket, too: a stop leaves it open for them
  // Requests at one time; as many again wait for their turn, further ones get 503. Twice as many connections wait for a
  // request; beyond, that which has been idle for the longest time is closed. /health and /ready wait for none of them.
  int max_connections = 512;
  int max_requests = 1'000;  // on one connection
  ConnectionLimits limits;
};

class HttpServer {
 public:
  // Listens; connections wait until Serve. `routes` is borrowed.
  // Otherwise what ListenOn or ListenOnUnix returns.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Bind(const HttpServerOptions& options, Routes* routes);
  ~HttpServer();

  int port() const;  // 0 of a Unix socket
  // Answers until Stop, then finishes what was accepted. Called once.
  void Serve();
  // Takes no further connection, lets requests finish for at most `grace`, then cancels their queries and closes their
  // connections. Returns at once. May be called again, with a shorter time.
  void Stop(absl::Duration grace);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_HTTP_SERVER_H_
