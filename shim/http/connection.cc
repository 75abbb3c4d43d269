// Reads requests within limits of size and time.
#include "shim/http/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "logquery/clock.h"

namespace logquery::shim {
namespace {

absl::Duration Monotonic() { return Clock::Real()->Monotonic(); }

// Waits until `fd` is ready for `events`, or the time has come; false: it has come.
bool Wait(int fd, short events, absl::Duration until) {
  while (true) {
    const absl::Duration left = std::max(until - Monotonic(), absl::ZeroDuration());
    pollfd entry{fd, events, 0};
    // A millisecond more, as poll rounds down and would spin.
    const int ready = poll(&entry, 1, static_cast<int>(std::min<int64_t>(absl::ToInt64Milliseconds(left) + 1, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (Monotonic() >= until) return false;
  }
}

}  // namespace

Connection::Connection(int fd, const ConnectionLimits& limits) : fd_(fd), limits_(limits) {}

Connection::~Connection() { close(fd_); }

bool Connection::AwaitByte(int stopping_fd, int crowded_fd, absl::Duration at_most) const {
  const absl::Duration until = Monotonic() + at_most;
  while (true) {
    pollfd entries[] = {{fd_, POLLIN, 0}, {stopping_fd, POLLIN, 0}, {crowded_fd, POLLIN, 0}};
    const int64_t left = absl::ToInt64Milliseconds(until - Monotonic());
    const int ready = poll(entries, 3, static_cast<int>(std::max<int64_t>(left + 1, 0)));
    if (ready < 0 && errno != EINTR) return false;
    if (ready > 0) return entries[0].revents != 0;
    if (Monotonic() >= until) return false;
  }
}

Connection::Head Connection::AwaitHead(int stopping_fd, int crowded_fd, absl::Duration at_most) {
  // What the client sent before the last answer needs no waiting for.
  const Head head = ReceiveHead();
  if (head != Head::kNothing || !AwaitByte(stopping_fd, crowded_fd, at_most)) return head;
  return ReceiveHead();
}

bool Connection::HasWholeHead() {
  searched_ = std::max(searched_, taken_);
  if (received_.find("\r\n\r\n", searched_) != std::string::npos) return true;
  searched_ = std::max(taken_, received_.size() < 3 ? 0 : received_.size() - 3);
  // What is shorter than either bound needs no look at its lines, so a client that sends byte by byte costs little.
  const std::string_view unread = std::string_view(received_).substr(taken_);
  return unread.size() > std::min(kMaxTargetBytes, kMaxHeaderBytes) && CheckHeadSize(unread).status != 0;
}

Connection::Head Connection::ReceiveHead() {
  if (taken_ == received_.size()) {
    received_.clear();
    taken_ = searched_ = 0;
  }
  while (!HasWholeHead()) {
    const bool is_first = taken_ == received_.size();
    char buffer[16 << 10];
    const ssize_t count = recv(fd_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return is_first ? Head::kNothing : Head::kPart;
    if (count <= 0) return Head::kGone;
    if (is_first) receive_until_ = Monotonic() + limits_.receive;
    received_.append(buffer, static_cast<size_t>(count));
  }
  return Head::kWhole;
}

ssize_t Connection::Receive() {
  if (!Wait(fd_, POLLIN, receive_until_)) {
    receive_timed_out_ = true;
    return -1;
  }
  char buffer[16 << 10];
  ssize_t count;
  do {
    count = recv(fd_, buffer, sizeof(buffer), 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) received_.append(buffer, static_cast<size_t>(count));
  return count;
}

HttpProblem Connection::ReadHead() {
  receive_timed_out_ = false;
  received_.erase(0, taken_);
  taken_ = searched_ = 0;
  // Whatever time the head has waited for its turn, its body has as much as any other.
  if (HasWholeHead()) receive_until_ = Monotonic() + limits_.receive;
  size_t searched = 0;
  while (true) {
    const size_t end = received_.find("\r\n\r\n", searched);
    if (end != std::string::npos) return CheckHead(std::string_view(received_).substr(0, end + 4));
    searched = received_.size() < 3 ? 0 : received_.size() - 3;
    if (HttpProblem problem = CheckHeadSize(received_); problem.status != 0) return problem;
    if (Receive() > 0) continue;
    if (receive_timed_out_ && !received_.empty()) return {408, "the request did not arrive in time"};
    return {-1, ""};
  }
}

ssize_t Connection::Read(char* to, size_t size) {
  if (taken_ == received_.size()) {
    received_.clear();
    taken_ = searched_ = 0;
    const ssize_t count = Receive();
    if (count <= 0) return count;
  }
  const size_t count = std::min(size, received_.size() - taken_);
  std::memcpy(to, received_.data() + taken_, count);
  taken_ += count;
  return static_cast<ssize_t>(count);
}

void Connection::BeginResponse() { send_until_ = Monotonic() + limits_.send; }

ssize_t Connection::Write(std::string_view text) {
  const auto all = static_cast<ssize_t>(text.size());
  while (!text.empty()) {
    const ssize_t count = send(fd_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    if (!Wait(fd_, POLLOUT, std::min(send_until_, Monotonic() + limits_.send_stall))) return -1;
  }
  return all;
}

bool Connection::ClientLeft() const {
  pollfd entry{fd_, POLLRDHUP, 0};
  return poll(&entry, 1, 0) > 0;
}

void Connection::Linger() {
  shutdown(fd_, SHUT_WR);
  const absl::Duration until = Monotonic() + absl::Seconds(1);
  char buffer[16 << 10];
  for (size_t total = 0; total < (size_t{1} << 20) && Wait(fd_, POLLIN, until);) {
    const ssize_t count = recv(fd_, buffer, sizeof(buffer), 0);
    if (count <= 0) return;
    total += static_cast<size_t>(count);
  }
}

}  // namespace logquery::shim
