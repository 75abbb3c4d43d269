#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/commands.h"
#include "shim/compose.h"
#include "shim/cors.h"
#include "shim/http_server.h"
#include "shim/listener.h"
#include "shim/local_client.h"
#include "shim/request_log.h"
#include "shim/routes.h"
#include "shim/worker_pool.h"

namespace logquery::shim {
namespace {

constexpr int kServerEnded = SIGUSR1;
// Of who runs commands on this machine.
constexpr int kMaxLocalConnections = 64;

int DefaultQueryThreads() { return std::max(4, 2 * static_cast<int>(std::thread::hardware_concurrency())); }

// A connection is a file descriptor; many systems allow fewer than a server may have unless it is asked for.
void AllowDescriptors(int wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= static_cast<rlim_t>(wanted)) return;
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(wanted));
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Blocked here and so in all threads that are started later: they arrive at sigwait alone.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, kServerEnded);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file may be no longer: whoever writes it is told
  return signals;
}

// Serves until SIGTERM or SIGINT; a second one ends what is still going on.
void ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, absl::Duration grace,
                      RequestLog& log) {
  std::atomic<size_t> finished{0};
  std::vector<std::thread> serving;
  for (HttpServer* server : servers) {
    serving.emplace_back([&finished, server] {
      server->Serve();
      ++finished;
      kill(getpid(), kServerEnded);  // wakes the loop below
    });
  }
  for (bool stopping = false; finished < servers.size();) {
    int received = 0;
    sigwait(&signals, &received);
    if (received == kServerEnded && stopping) continue;
    log.Note("info", stopping ? "stopping at once" : "stopping: requests that were accepted finish");
    for (HttpServer* server : servers) server->Stop(stopping ? absl::ZeroDuration() : grace);
    stopping = true;
  }
  for (std::thread& thread : serving) thread.join();
}

// The address of `--listen` or `--admin`, where it may be listened on.
absl::StatusOr<ListenAddress> AddressOf(const std::string& option, const std::string& text, bool insecure_http) {
  LOGQUERY_ASSIGN_OR_RETURN(ListenAddress address, ParseListenAddress(text));
  if (insecure_http || IsLoopback(address.host)) return address;
  return absl::InvalidArgumentError(
      base::StrCat(option, " ", address.host,
                   " can be reached from other machines, and HTTP sends tokens unencrypted; put a "
                   "proxy with TLS in front and listen on 127.0.0.1, or say --insecure-http"));
}

std::string UrlOf(const ListenAddress& address, int port) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return base::StrCat("http://", v6 ? "[" : "", address.host, v6 ? "]" : "", ":", port, "/");
}

// The servers of a composition: that which the world sees, and that in the folder where there is one.
class Servers {
 public:
  Servers(const RoutesOptions& options, const Composition& parts)
      : routes_(options), local_routes_(ForOwner(options, parts)), admin_routes_(ForAdmin(options)) {}

  absl::Status Bind(const HttpServerOptions& options) {
    LOGQUERY_ASSIGN_OR_RETURN(server_, HttpServer::Bind(options, &routes_));
    return absl::OkStatus();
  }
  absl::Status BindLocal(const std::string& path) {
    HttpServerOptions options;
    options.unix_path = path;
    options.max_connections = kMaxLocalConnections;
    LOGQUERY_ASSIGN_OR_RETURN(local_server_, HttpServer::Bind(options, &local_routes_));
    return absl::OkStatus();
  }
  absl::Status BindAdmin(const ListenAddress& address) {
    HttpServerOptions options;
    options.address = address;
    options.max_connections = kMaxLocalConnections;
    LOGQUERY_ASSIGN_OR_RETURN(admin_server_, HttpServer::Bind(options, &admin_routes_));
    return absl::OkStatus();
  }
  int port() const { return server_->port(); }
  int admin_port() const { return admin_server_->port(); }
  std::vector<HttpServer*> all() const {
    std::vector<HttpServer*> servers = {server_.get()};
    if (local_server_ != nullptr) servers.push_back(local_server_.get());
    if (admin_server_ != nullptr) servers.push_back(admin_server_.get());
    return servers;
  }

 private:
  static RoutesOptions ForOwner(RoutesOptions options, const Composition& parts) {
    options.cors = Cors();
    options.service = parts.local_service.get();
    options.owner = parts.actions;
    return options;
  }

  static RoutesOptions ForAdmin(RoutesOptions options) {
    options.cors = Cors();
    options.admin = true;
    return options;
  }

  Routes routes_;
  Routes local_routes_;
  Routes admin_routes_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<HttpServer> local_server_;
  std::unique_ptr<HttpServer> admin_server_;
};

struct Addresses {
  ListenAddress listen;
  std::optional<ListenAddress> admin;
};

absl::StatusOr<Addresses> AddressesOf(const ServeArguments& arguments) {
  Addresses addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.listen, AddressOf("--listen", arguments.listen, arguments.insecure_http));
  if (arguments.admin.empty()) return addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.admin, AddressOf("--admin", arguments.admin, arguments.insecure_http));
  return addresses;
}

absl::Status Serve(const ServeArguments& arguments, const Addresses& addresses, Composition& parts, WorkerPool& queries,
                   RequestLog& log, const sigset_t& signals, const Terminal& terminal) {
  RoutesOptions options;
  options.service = parts.service.get();
  options.queries = &queries;
  options.log = &log;
  options.trust_forwarded_for = arguments.trust_forwarded_for;
  LOGQUERY_ASSIGN_OR_RETURN(options.cors, Cors::Create(arguments.cors_origins));
  if (parts.intake != nullptr) options.loading = [&parts] { return parts.intake->state(); };
  Servers servers(options, parts);
  HttpServerOptions http;
  http.address = addresses.listen;
  http.max_connections = arguments.max_connections;
  LOGQUERY_RETURN_IF_ERROR(servers.Bind(http));
  if (addresses.admin) LOGQUERY_RETURN_IF_ERROR(servers.BindAdmin(*addresses.admin));
  const std::string socket = SocketIn(arguments.service.data);
  if (parts.local_service != nullptr) LOGQUERY_RETURN_IF_ERROR(servers.BindLocal(socket));
  if (parts.intake != nullptr) parts.intake->Start();
  for (const auto& task : parts.upkeep) task->Start();
  // For programs that started the server with port 0: one line, when it answers.
  terminal.out << "listening on " << UrlOf(addresses.listen, servers.port()) << std::endl;
  if (addresses.admin) terminal.out << "admin on " << UrlOf(*addresses.admin, servers.admin_port()) << std::endl;
  log.Note("info", base::StrCat("serving ", arguments.service.data, " with ", parts.backend->capabilities().engine,
                                arguments.read_only ? ", for reading alone" : ""));
  ServeUntilSignal(servers.all(), signals, absl::Seconds(arguments.stop_seconds), log);
  if (parts.local_service != nullptr) unlink(socket.c_str());
  for (const auto& task : parts.upkeep) task->Stop();
  if (parts.intake != nullptr) parts.intake->Stop();
  queries.Shutdown();  // its queries use the routes, which go now
  return absl::OkStatus();
}

}  // namespace

int RunServe(const ServeArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Addresses> addresses = AddressesOf(arguments);
  if (!addresses.ok()) return Fail(terminal, addresses.status());
  const sigset_t signals = BlockStopSignals();
  // A connection may wait for an answer in a file, and the cache keeps some.
  AllowDescriptors(4 * arguments.max_connections + 500);
  RequestLog log([&terminal](std::string_view line) { terminal.err << line << std::flush; }, !terminal.err_is_terminal,
                 Clock::Real());
  absl::StatusOr<Composition> parts =
      ComposeServer(arguments, [&log](std::string_view level, std::string_view line) { log.Note(level, line); });
  if (!parts.ok()) return Fail(terminal, parts.status());
  WorkerPool queries(arguments.query_threads > 0 ? arguments.query_threads : DefaultQueryThreads(),
                     arguments.max_queued);
  const absl::Status served = Serve(arguments, *addresses, *parts, queries, log, signals, terminal);
  if (!served.ok()) return Fail(terminal, served);
  log.Note("info", "stopped");
  return kExitOk;
}

}  // namespace logquery::shim
