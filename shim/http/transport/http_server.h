// Transports HTTP: sockets, connections and their threads. routes.h decides the responses.
//
//     absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Bind({}, &routes);
//     std::thread stopper([&] { …; (*server)->Stop(absl::Seconds(30)); });
//     (*server)->Serve();
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_SERVER_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/connection.h"
#include "shim/http/transport/listener.h"

namespace logquery::shim {

struct HttpServerOptions {
  ListenAddress address{"127.0.0.1", 0};
  std::string unix_path = {};  // replaces the address: a Unix socket, accessible only to its owner
  int listening_fd = -1;       // replaces both: a socket that is already listening; owned
  bool shared = false;         // other processes use that socket too: Stop leaves it listening
  // Concurrent requests; as many again wait for their turn, and further ones get 503. Twice as many connections may
  // wait for a request; beyond that, one that has waited long is closed. /health and /ready never wait.
  int max_connections = 512;
  int max_requests = 1'000;  // on one connection
  ConnectionLimits limits;
};

class HttpServer {
 public:
  // Starts listening; connections wait until Serve. `routes` is borrowed. Statuses: those of ListenOn or ListenOnUnix;
  // ResourceExhausted: the system allows too few threads.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Bind(const HttpServerOptions& options, Routes* routes);
  ~HttpServer();

  int port() const;  // 0 for a Unix socket
  // Serves until Stop, then finishes accepted requests. May be called once.
  void Serve();
  // Stops accepting connections, lets requests finish for at most `grace`, then cancels their queries and closes their
  // connections. Returns at once. May be called again with a shorter time.
  void Stop(absl::Duration grace);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_SERVER_H_
