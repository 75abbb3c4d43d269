#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "lib/base/strings.h"
#include "shim/commands.h"
#include "shim/compose.h"
#include "shim/http_server.h"
#include "shim/listener.h"
#include "shim/request_log.h"
#include "shim/routes.h"
#include "shim/worker_pool.h"

namespace logquery::shim {
namespace {

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
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

// Serves until SIGTERM or SIGINT; a second one ends what is still going on.
void ServeUntilSignal(HttpServer& server, const sigset_t& signals, absl::Duration grace, RequestLog& log) {
  std::atomic<bool> finished{false};
  std::thread serving([&] {
    server.Serve();
    finished = true;
    kill(getpid(), SIGTERM);  // wakes the loop below
  });
  for (bool again = false; true; again = true) {
    int received = 0;
    sigwait(&signals, &received);
    if (finished) break;
    log.Note("info", again ? "stopping at once" : "stopping: requests that were accepted finish");
    server.Stop(again ? absl::ZeroDuration() : grace);
  }
  serving.join();
}

absl::Status CheckExposure(const ListenAddress& address, bool insecure_http) {
  if (insecure_http || IsLoopback(address.host)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::StrCat("--listen ", address.host,
                   " can be reached from other machines, and HTTP sends tokens unencrypted; put a "
                   "proxy with TLS in front and listen on 127.0.0.1, or say --insecure-http"));
}

std::string UrlOf(const ListenAddress& address, int port) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return base::StrCat("http://", v6 ? "[" : "", address.host, v6 ? "]" : "", ":", port, "/");
}

}  // namespace

int RunServe(const ServeArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<ListenAddress> address = ParseListenAddress(arguments.listen);
  if (!address.ok()) return Fail(terminal, address.status());
  if (absl::Status status = CheckExposure(*address, arguments.insecure_http); !status.ok())
    return Fail(terminal, status);
  const sigset_t signals = BlockStopSignals();
  AllowDescriptors(arguments.max_connections + 200);
  absl::StatusOr<Composition> parts = Compose(arguments.service, arguments.tokens);
  if (!parts.ok()) return Fail(terminal, parts.status());

  RequestLog log([&terminal](std::string_view line) { terminal.err << line << std::flush; }, !terminal.err_is_terminal,
                 Clock::Real());
  WorkerPool queries(arguments.query_threads > 0 ? arguments.query_threads : DefaultQueryThreads(),
                     arguments.max_queued);
  RoutesOptions route_options;
  route_options.service = parts->service.get();
  route_options.queries = &queries;
  route_options.log = &log;
  route_options.trust_forwarded_for = arguments.trust_forwarded_for;
  Routes routes(route_options);
  HttpServerOptions options;
  options.address = *address;
  options.max_connections = arguments.max_connections;
  {
    absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Bind(options, &routes);
    if (!server.ok()) return Fail(terminal, server.status());
    // For programs that started the server with port 0: one line, when it answers.
    terminal.out << "listening on " << UrlOf(*address, (*server)->port()) << std::endl;
    log.Note("info", base::StrCat("serving ", arguments.service.data, " with ", parts->backend->capabilities().engine));
    ServeUntilSignal(**server, signals, absl::Seconds(arguments.stop_seconds), log);
  }
  queries.Shutdown();  // before the service that its queries use
  log.Note("info", "stopped");
  return kExitOk;
}

}  // namespace logquery::shim
