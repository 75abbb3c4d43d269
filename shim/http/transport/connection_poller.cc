// Waits for request heads on all connections with one thread, by epoll.
#include "shim/http/transport/connection_poller.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "logquery/clock.h"

namespace logquery::shim {
namespace {

// How long no connection is accepted when the process has no descriptor left, and none that waits can be closed.
constexpr absl::Duration kPause = absl::Milliseconds(10);
// How long a client that still sends may do so when the server stops.
constexpr absl::Duration kLingerAtStop = absl::Seconds(1);
constexpr int kEventsAtOnce = 256;
constexpr int kAcceptsAtOnce = 64;  // then the connections that are there have their turn

absl::Duration Monotonic() { return Clock::Real()->Monotonic(); }

}  // namespace

ConnectionPoller::ConnectionPoller(int listening_fd, const ConnectionPollerOptions& options, OpenConnections* open,
                                   Handler handler)
    : listening_fd_(listening_fd),
      options_(options),
      open_(open),
      handler_(std::move(handler)),
      epoll_fd_(epoll_create1(EPOLL_CLOEXEC)) {
  // A client that leaves between epoll_wait and accept must not make accept wait.
  fcntl(listening_fd_, F_SETFL, fcntl(listening_fd_, F_GETFL) | O_NONBLOCK);
  for (const int fd : {listening_fd_, stopping_.fd(), returned_flag_.fd()}) Watch(fd);
}

ConnectionPoller::~ConnectionPoller() { close(epoll_fd_); }

void ConnectionPoller::Watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.fd = fd;
  epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event);
}

void ConnectionPoller::Run() {
  while (!stops_ || !part_.empty() || !lingering_.empty()) {
    epoll_event events[kEventsAtOnce];
    const int count = epoll_wait(epoll_fd_, events, kEventsAtOnce, TimeToWait());
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == listening_fd_) {
        Accept();
      } else if (fd == stopping_.fd()) {
        BeginStop();
      } else if (fd == returned_flag_.fd()) {
        returned_flag_.Lower();
        TakeReturned();
        TakeLingering();
      } else {
        Look(fd);
      }
    }
    OnTime();
  }
  absl::MutexLock lock(&mutex_);
  ended_ = true;
  for (auto* const late : {&returned_, &to_linger_}) {
    for (std::unique_ptr<Connection>& connection : *late) Close(std::move(connection));
    late->clear();
  }
}

void ConnectionPoller::Return(std::unique_ptr<Connection> connection) {
  absl::MutexLock lock(&mutex_);
  if (ended_) return Close(std::move(connection));
  returned_.push_back(std::move(connection));
  returned_flag_.Raise();
}

void ConnectionPoller::Linger(std::unique_ptr<Connection> connection) {
  {
    absl::MutexLock lock(&mutex_);
    if (!ended_) {
      connection->BeginLinger();
      to_linger_.push_back(std::move(connection));
      returned_flag_.Raise();
      return;
    }
  }
  connection->Linger();
  Close(std::move(connection));
}

void ConnectionPoller::TakeLingering() {
  std::vector<std::unique_ptr<Connection>> connections;
  {
    absl::MutexLock lock(&mutex_);
    connections.swap(to_linger_);
  }
  for (std::unique_ptr<Connection>& connection : connections) Wait(std::move(connection), lingering_, LingerUntil());
}

// A client that has its response, and sends nothing more, has as long as one between two requests.
absl::Duration ConnectionPoller::LingerUntil() const {
  return Monotonic() + (stops_ ? std::min(kLingerAtStop, options_.limits.idle) : options_.limits.idle);
}

void ConnectionPoller::LookAtLingering(int fd) {
  const Line::iterator at = places_.at(fd).at;
  if (!at->connection->Discard()) return Close(Take(fd));
  if (stops_) return;  // its time is set
  at->until = LingerUntil();
  lingering_.splice(lingering_.end(), lingering_, at);
}

void ConnectionPoller::TakeReturned() {
  std::vector<std::unique_ptr<Connection>> returned;
  {
    absl::MutexLock lock(&mutex_);
    returned.swap(returned_);
  }
  for (std::unique_ptr<Connection>& connection : returned) {
    const Connection::Head head = connection->ReceiveHead();
    Sort(std::move(connection), head);
  }
}

void ConnectionPoller::Accept() {
  for (int i = 0; i < kAcceptsAtOnce && !stops_; ++i) {
    const int fd = accept4(listening_fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
      if (!places_.empty()) {
        CloseOldest();
        continue;
      }
      epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, listening_fd_, nullptr);
      out_of_descriptors_ = true;
      return;
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    open_->Add(fd);
    auto connection = std::make_unique<Connection>(fd, options_.limits);
    const Connection::Head head = connection->ReceiveHead();
    Sort(std::move(connection), head);
  }
}

void ConnectionPoller::Look(int fd) {
  const auto found = places_.find(fd);
  if (found == places_.end()) return;  // closed since epoll_wait
  if (found->second.line == &lingering_) return LookAtLingering(fd);
  const Connection::Head head = found->second.at->connection->ReceiveHead();
  // A part that grows keeps its place and its time: sending byte by byte gives no client more.
  if (head == Connection::Head::kPart && found->second.line == &part_) return;
  Sort(Take(fd), head);
}

void ConnectionPoller::Sort(std::unique_ptr<Connection> connection, Connection::Head head) {
  switch (head) {
    case Connection::Head::kWhole:
      return handler_(std::move(connection));
    case Connection::Head::kGone:
      return Close(std::move(connection));
    case Connection::Head::kPart:
      return Wait(std::move(connection), part_, Monotonic() + options_.limits.receive);
    case Connection::Head::kNothing:
      if (stops_) return Close(std::move(connection));
      return Wait(std::move(connection), idle_, Monotonic() + options_.limits.idle);
  }
}

void ConnectionPoller::Wait(std::unique_ptr<Connection> connection, Line& line, absl::Duration until) {
  const int fd = connection->fd();
  line.push_back({std::move(connection), until});
  places_[fd] = {&line, std::prev(line.end())};
  Watch(fd);
  if (places_.size() > static_cast<size_t>(options_.max_waiting)) CloseOldest();
}

std::unique_ptr<Connection> ConnectionPoller::Take(int fd) {
  const auto found = places_.find(fd);
  std::unique_ptr<Connection> connection = std::move(found->second.at->connection);
  found->second.line->erase(found->second.at);
  places_.erase(found);
  epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
  return connection;
}

void ConnectionPoller::Close(std::unique_ptr<Connection> connection) { open_->Remove(connection->fd()); }

void ConnectionPoller::CloseOldest() {
  const Line* const lines[] = {&idle_, &part_, &lingering_};
  const Line& longest = **std::max_element(std::begin(lines), std::end(lines),
                                           [](const Line* a, const Line* b) { return a->size() < b->size(); });
  if (!longest.empty()) Close(Take(longest.front().connection->fd()));
}

void ConnectionPoller::OnTime() {
  const absl::Duration now = Monotonic();
  while (!idle_.empty() && idle_.front().until <= now) Close(Take(idle_.front().connection->fd()));
  while (!part_.empty() && part_.front().until <= now) handler_(Take(part_.front().connection->fd()));
  while (!lingering_.empty() && lingering_.front().until <= now) Close(Take(lingering_.front().connection->fd()));
  if (out_of_descriptors_) {
    out_of_descriptors_ = false;
    if (!stops_) Watch(listening_fd_);
  }
}

void ConnectionPoller::BeginStop() {
  stops_ = true;
  for (const int fd : {listening_fd_, stopping_.fd()}) epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
  // Bytes that have come meanwhile are taken: a request that the client has sent is answered.
  std::vector<int> idle;
  for (const Waiting& waiting : idle_) idle.push_back(waiting.connection->fd());
  for (Waiting& waiting : lingering_) waiting.until = std::min(waiting.until, LingerUntil());
  for (const int fd : idle) {
    const Connection::Head head = places_.at(fd).at->connection->ReceiveHead();
    Sort(Take(fd), head);
  }
}

int ConnectionPoller::TimeToWait() const {
  absl::Duration until = absl::InfiniteDuration();
  for (const Line* line : {&idle_, &part_, &lingering_}) {
    if (!line->empty()) until = std::min(until, line->front().until);
  }
  absl::Duration left = std::max(until - Monotonic(), absl::ZeroDuration());
  if (out_of_descriptors_) left = std::min(left, kPause);
  // A millisecond more, as epoll_wait rounds down and would spin.
  return left == absl::InfiniteDuration()
             ? -1
             : static_cast<int>(std::min<int64_t>(absl::ToInt64Milliseconds(left), 60'000)) + 1;
}

}  // namespace logquery::shim
