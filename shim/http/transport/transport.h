// Transports HTTP for one listener: its socket, connections and their threads. routes.h decides the responses.
//
//     absl::StatusOr<std::unique_ptr<Transport>> transport = Transport::Bind({}, &routes);
//     std::thread stopper([&] { …; (*transport)->Stop(absl::Seconds(30)); });
//     (*transport)->Serve();
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_TRANSPORT_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_TRANSPORT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/listen_socket.h"
#include "logquery/http_server.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/connection.h"

namespace logquery::shim {

struct TransportOptions {
  base::ListenAddress address{"127.0.0.1", 0};
  std::string unix_path = {};  // replaces the address: a Unix socket, accessible only to its owner
  int listening_fd = -1;       // replaces both: a socket that is already listening; owned
  bool shared = false;         // other processes use that socket too: Stop leaves it listening
  int max_connections = 512;   // as HttpListener::max_connections
  int max_requests = 1'000;    // on one connection
  ConnectionLimits limits;
};

class Transport {
 public:
  // Starts listening; connections wait until Serve. `routes` is borrowed. Statuses: those of ListenOn or ListenOnUnix;
  // ResourceExhausted: the system allows too few threads.
  static absl::StatusOr<std::unique_ptr<Transport>> Bind(const TransportOptions& options, Routes* routes);
  ~Transport();

  int port() const;  // 0 for a Unix socket
  // Serves until Stop, then finishes accepted requests. May be called once.
  void Serve();
  // Stops accepting connections, lets requests finish for at most `grace`, then cancels their queries and closes their
  // connections. Returns at once. May be called again with a shorter time.
  void Stop(absl::Duration grace);
  // Adds what is counted here.
  void AddTo(HttpServerState& state) const;

 private:
  class Impl;
  explicit Transport(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_TRANSPORT_H_
