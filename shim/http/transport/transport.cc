// Connects the poller, the thread pools, and the server of requests.
#include "shim/http/transport/transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/listen_socket.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/worker_pool.h"
#include "logquery/clock.h"
#include "shim/http/transport/connection_poller.h"
#include "shim/http/transport/probe_request.h"
#include "shim/http/transport/request_server.h"

namespace logquery::shim {
namespace {

// For as long as this a thread stays with a connection that it has answered: most clients that ask again do so at once.
constexpr absl::Duration kStay = absl::Milliseconds(50);
// Threads for probes while all others are taken.
constexpr int kProbeThreads = 2;
constexpr int kProbesWaiting = 64;
// Threads that are there before the first request; further ones start when they are needed, if the system has them.
constexpr int kFirstThreads = 4;
// One thread in so many may wait for a slow body.
constexpr int kShareOfSlowBodies = 4;

}  // namespace

class Transport::Impl {
 public:
  Impl(const TransportOptions& options, int listening_fd, Routes* routes)
      : options_(options),
        listening_fd_(listening_fd),
        port_(base::PortOf(listening_fd)),
        routes_(routes),
        server_({options.limits.idle, options.max_requests, std::max(1, options.max_connections / kShareOfSlowBodies)},
                routes),
        threads_(options.max_connections, options.max_connections),
        probe_threads_(kProbeThreads, kProbesWaiting),
        poller_(listening_fd, {.max_waiting = 2 * options.max_connections, .limits = options.limits}, &open_,
                [this](std::unique_ptr<Connection> connection) { Dispatch(std::move(connection)); }) {}
  ~Impl() {
    Stop(absl::ZeroDuration());
    NotifyFinished();
    if (stopper_.joinable()) stopper_.join();
    close(listening_fd_);
  }

  // ResourceExhausted: the system allows no thread for what must always work.
  absl::Status StartThreads() {
    LOGQUERY_ASSIGN_OR_RETURN(stopper_, base::StartThread([this] { EndInTime(); }));
    LOGQUERY_RETURN_IF_ERROR(probe_threads_.Start(1));
    return threads_.Start(std::min(kFirstThreads, options_.max_connections));
  }

  int port() const { return port_; }

  void AddTo(HttpServerState& state) const {
    state.connections += open_.size();
    state.heads += server_.heads();
    state.refused += refused_;
  }

  void Serve() {
    poller_.Run();
    threads_.Shutdown();
    probe_threads_.Shutdown();
    NotifyFinished();
  }

  // Starts no thread: one that asks to stop must not fail where the system has none left.
  void Stop(absl::Duration grace) {
    routes_->Drain();
    stopping_ = true;
    poller_.Stop();
    // Clients are refused from here on.
    if (!options_.shared) shutdown(listening_fd_, SHUT_RDWR);
    absl::MutexLock lock(&stop_mutex_);
    cancel_at_ = std::min(cancel_at_, Clock::Real()->Monotonic() + grace);
    stop_changed_.Signal();
  }

 private:
  using Next = RequestServer::Next;

  void EndInTime();
  void NotifyFinished() {
    absl::MutexLock lock(&stop_mutex_);
    finished_ = true;
    stop_changed_.Signal();
  }
  void Dispatch(std::unique_ptr<Connection> connection);
  void ServeRequests(std::unique_ptr<Connection> connection);
  void ServeLast(std::unique_ptr<Connection> connection);
  void End(std::unique_ptr<Connection> connection, Next next);
  void RefuseBusy(Connection& connection);

  const TransportOptions options_;
  const int listening_fd_;
  const int port_;
  Routes* routes_;
  base::WakeFlag crowded_;  // requests wait for a thread
  OpenConnections open_;
  RequestServer server_;
  base::WorkerPool threads_;
  base::WorkerPool probe_threads_;
  ConnectionPoller poller_;
  std::atomic<bool> stopping_{false};
  std::atomic<int64_t> refused_{0};
  absl::Mutex stop_mutex_;
  absl::CondVar stop_changed_;
  absl::Duration cancel_at_ ABSL_GUARDED_BY(stop_mutex_) = absl::InfiniteDuration();  // as Clock::Monotonic
  bool finished_ ABSL_GUARDED_BY(stop_mutex_) = false;
  std::thread stopper_;
};

void Transport::Impl::EndInTime() {
  absl::MutexLock lock(&stop_mutex_);
  while (!finished_) {
    const absl::Duration left = cancel_at_ - Clock::Real()->Monotonic();
    if (left <= absl::ZeroDuration()) break;
    stop_changed_.WaitWithTimeout(&stop_mutex_, left);
  }
  if (finished_) return;
  stop_mutex_.Unlock();
  routes_->CancelAll();
  stop_mutex_.Lock();
  // Cancelled requests have a moment to say so.
  const auto finished = [this]() ABSL_SHARED_LOCKS_REQUIRED(stop_mutex_) { return finished_; };
  if (!stop_mutex_.AwaitWithTimeout(absl::Condition(&finished), absl::Seconds(2))) open_.ShutAll();
}

// Tasks of the pools are copied, so they share what they own.
void Transport::Impl::Dispatch(std::unique_ptr<Connection> connection) {
  const auto shared = std::make_shared<std::unique_ptr<Connection>>(std::move(connection));
  if (threads_.IsFull() && IsProbeAlone((*shared)->unread()) && HasNothingUnsent((*shared)->fd()) &&
      probe_threads_.Submit([this, shared] { ServeLast(std::move(*shared)); })) {
    return;
  }
  const bool taken = threads_.Submit([this, shared] {
    if (!threads_.IsFull()) crowded_.Lower();
    ServeRequests(std::move(*shared));
  });
  if (threads_.IsFull()) crowded_.Raise();
  if (taken) return;
  RefuseBusy(**shared);
  poller_.Linger(std::move(*shared));
}

void Transport::Impl::End(std::unique_ptr<Connection> connection, Next next) {
  if (next == Next::kLinger) return poller_.Linger(std::move(connection));
  open_.Remove(connection->fd());
}

void Transport::Impl::ServeRequests(std::unique_ptr<Connection> connection) {
  Connection::Head head = Connection::Head::kWhole;
  do {
    const bool last = connection->CountRequest() >= options_.max_requests;
    if (const Next next = server_.ServeOne(*connection, last || stopping_); next != Next::kAwait)
      return End(std::move(connection), next);
    head = connection->AwaitHead(poller_.stopping_fd(), crowded_.fd(), std::min(kStay, options_.limits.idle));
    // Others have their turn between two requests of one client's.
  } while (head == Connection::Head::kWhole && !threads_.IsFull());
  if (head == Connection::Head::kGone) {
    open_.Remove(connection->fd());
  } else {
    poller_.Return(std::move(connection));
  }
}

void Transport::Impl::ServeLast(std::unique_ptr<Connection> connection) {
  const Next next = server_.ServeOne(*connection, /*last=*/true);
  End(std::move(connection), next);
}

// Writes without blocking, because this runs on the poller's thread.
void Transport::Impl::RefuseBusy(Connection& connection) {
  ++refused_;
  const std::string text =
      server_.RefusalOf(connection.PeerAddress(), {503, "too many requests wait already; try again in a moment"});
  send(connection.fd(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

Transport::Transport(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transport::~Transport() = default;

absl::StatusOr<std::unique_ptr<Transport>> Transport::Bind(const TransportOptions& options, Routes* routes) {
  int fd = options.listening_fd;
  if (fd < 0) {
    const bool is_unix = !options.unix_path.empty();
    LOGQUERY_ASSIGN_OR_RETURN(fd, is_unix ? base::ListenOnUnix(options.unix_path) : base::ListenOn(options.address));
  }
  auto impl = std::make_unique<Impl>(options, fd, routes);
  LOGQUERY_RETURN_IF_ERROR(impl->StartThreads());
  return std::unique_ptr<Transport>(new Transport(std::move(impl)));
}

int Transport::port() const { return impl_->port(); }
void Transport::Serve() { impl_->Serve(); }
void Transport::Stop(absl::Duration grace) { impl_->Stop(grace); }
void Transport::AddTo(HttpServerState& state) const { impl_->AddTo(state); }

}  // namespace logquery::shim
