// Puts the routes and transports of a server's listeners together.
#include "logquery/http_server.h"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/listen_socket.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/cors.h"
#include "shim/http/transport/transport.h"

namespace logquery {
namespace {

using shim::Cors;
using shim::Routes;
using shim::Transport;

absl::StatusOr<int> Listen(const HttpListener& listener, bool allow_remote) {
  if (listener.fd < 0 && !listener.unix_path.empty()) return base::ListenOnUnix(listener.unix_path);
  std::string host;
  base::ListenAddress address;
  if (listener.fd < 0) {
    LOGQUERY_ASSIGN_OR_RETURN(address, base::ParseListenAddress(listener.address));
    host = address.host;
  } else {
    host = base::HostOf(listener.fd);
  }
  if (!allow_remote && !host.empty() && !base::IsLoopback(host)) {
    return absl::InvalidArgumentError(base::StrCat(
        "the address ", host,
        " can be reached from other machines, and HTTP sends tokens unencrypted; listen on 127.0.0.1 behind a "
        "proxy with TLS, or set HttpServerOptions::allow_remote"));
  }
  return listener.fd >= 0 ? listener.fd : base::ListenOn(address);
}

class Server final : public HttpServer {
 public:
  explicit Server(HttpServerOptions options) : options_(std::move(options)) {}
  ~Server() override {
    Stop(absl::ZeroDuration());
    Wait();
  }

  absl::Status Open() {
    if (options_.service == nullptr || options_.queue == nullptr) {
      return absl::InvalidArgumentError("HttpServerOptions needs a service and a queue");
    }
    LOGQUERY_ASSIGN_OR_RETURN(Cors cors, Cors::Create(options_.cors_origins));
    routes_ = std::make_unique<Routes>(options_, std::move(cors));
    LOGQUERY_ASSIGN_OR_RETURN(transport_, Bind(options_.listen, routes_.get()));
    if (!options_.admin) return absl::OkStatus();
    admin_routes_ = std::make_unique<Routes>(options_, Cors(), /*admin=*/true);
    LOGQUERY_ASSIGN_OR_RETURN(admin_, Bind(*options_.admin, admin_routes_.get()));
    return absl::OkStatus();
  }

  absl::Status Start(std::function<void()> stopped) override {
    stopped_ = std::move(stopped);
    const std::vector<Transport*> transports = All();
    serving_ = static_cast<int>(transports.size());
    for (Transport* transport : transports) {
      absl::StatusOr<std::thread> thread = base::StartThread([this, transport] {
        transport->Serve();
        if (--serving_ == 0 && stopped_) stopped_();
      });
      if (!thread.ok()) {
        stopped_ = nullptr;
        Stop(absl::ZeroDuration());
        Wait();
        return thread.status();
      }
      threads_.push_back(*std::move(thread));
    }
    return absl::OkStatus();
  }

  void Stop(absl::Duration grace) override {
    for (Transport* transport : All()) transport->Stop(grace);
  }

  void Wait() override {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  int port() const override { return transport_->port(); }
  int admin_port() const override { return admin_ != nullptr ? admin_->port() : 0; }

  HttpServerState state() const override {
    HttpServerState state;
    state.stopping = routes_->draining();
    for (const Transport* transport : All()) transport->AddTo(state);
    state.route_look_ups = routes_->look_ups() + (admin_routes_ != nullptr ? admin_routes_->look_ups() : 0);
    return state;
  }

 private:
  absl::StatusOr<std::unique_ptr<Transport>> Bind(const HttpListener& listener, Routes* routes) const {
    shim::TransportOptions transport;
    LOGQUERY_ASSIGN_OR_RETURN(transport.listening_fd, Listen(listener, options_.allow_remote));
    transport.shared = listener.shared;
    transport.max_connections = listener.max_connections;
    transport.max_requests = options_.limits.max_requests;
    transport.limits.idle = options_.limits.idle;
    transport.limits.receive = options_.limits.receive;
    transport.limits.send = options_.limits.send;
    transport.limits.SetLeastSpeed(static_cast<size_t>(options_.limits.least_upload));
    return Transport::Bind(transport, routes);
  }

  std::vector<Transport*> All() const {
    std::vector<Transport*> all;
    for (Transport* transport : {transport_.get(), admin_.get()}) {
      if (transport != nullptr) all.push_back(transport);
    }
    return all;
  }

  const HttpServerOptions options_;
  std::unique_ptr<Routes> routes_;
  std::unique_ptr<Routes> admin_routes_;  // nullptr: there is no admin listener
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Transport> admin_;
  std::function<void()> stopped_;
  std::atomic<int> serving_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Create(HttpServerOptions options) {
  auto server = std::make_unique<Server>(std::move(options));
  LOGQUERY_RETURN_IF_ERROR(server->Open());
  return server;
}

}  // namespace logquery
