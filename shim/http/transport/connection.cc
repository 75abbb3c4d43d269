// Reads requests within limits of size and time.
#include "shim/http/transport/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lib/base/listen_socket.h"

namespace logquery::shim {
namespace {

// The most bytes that a client may send that has its response already: more than the longest body that is accepted, at 100 KB a
// second.
constexpr absl::Duration kLongestLinger = absl::Minutes(3);
constexpr size_t kMostDiscarded = 32 << 20;
// The most bytes of one call of Discard: then other connections have their turn.
constexpr size_t kDiscardAtOnce = 256 << 10;

}  // namespace

void ConnectionLimits::SetLeastSpeed(size_t least_speed) {
  const ConnectionLimits defaults;
  const double seconds = static_cast<double>(defaults.body_bytes) / static_cast<double>(least_speed);
  body = std::min(defaults.body, absl::Seconds(seconds));
  body_bytes = static_cast<size_t>(absl::ToDoubleSeconds(body) * static_cast<double>(least_speed));
}

Connection::Connection(int fd, const ConnectionLimits& limits) : fd_(fd), limits_(limits) {}

Connection::~Connection() { close(fd_); }

// Waits until the socket is ready for `events`, or the time has come; false: it has come.
bool Connection::Wait(short events, absl::Duration until) const {
  while (true) {
    const absl::Duration left = std::max(until - Now(), absl::ZeroDuration());
    pollfd entry{fd_, events, 0};
    // A millisecond more, as poll rounds down and would spin.
    const int ready = poll(&entry, 1, static_cast<int>(std::min<int64_t>(absl::ToInt64Milliseconds(left) + 1, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (Now() >= until) return false;
  }
}

bool Connection::AwaitByte(int stopping_fd, int crowded_fd, absl::Duration at_most) const {
  const absl::Duration until = Now() + at_most;
  while (true) {
    pollfd entries[] = {{fd_, POLLIN, 0}, {stopping_fd, POLLIN, 0}, {crowded_fd, POLLIN, 0}};
    const int64_t left = absl::ToInt64Milliseconds(until - Now());
    const int ready = poll(entries, 3, static_cast<int>(std::max<int64_t>(left + 1, 0)));
    if (ready < 0 && errno != EINTR) return false;
    if (ready > 0) return entries[0].revents != 0;
    if (Now() >= until) return false;
  }
}

Connection::Head Connection::AwaitHead(int stopping_fd, int crowded_fd, absl::Duration at_most) {
  // Bytes that the client sent before the last answer need no waiting for.
  const Head head = ReceiveHead();
  if (head != Head::kNothing || !AwaitByte(stopping_fd, crowded_fd, at_most)) return head;
  return ReceiveHead();
}

bool Connection::HasWholeHead() {
  searched_ = std::max(searched_, taken_);
  if (received_.find("\r\n\r\n", searched_) != std::string::npos) return true;
  searched_ = std::max(taken_, received_.size() < 3 ? 0 : received_.size() - 3);
  // A head shorter than either bound needs no look at its lines, so a client that sends byte by byte costs little.
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
    if (is_first) receive_until_ = Now() + limits_.receive;
    received_.append(buffer, static_cast<size_t>(count));
  }
  return Head::kWhole;
}

ssize_t Connection::Receive() {
  // A client that always has a byte ready has no more time than others.
  if (Now() >= receive_until_ || !Wait(POLLIN, receive_until_)) {
    receive_timed_out_ = true;
    return -1;
  }
  char buffer[16 << 10];
  ssize_t count;
  do {
    count = recv(fd_, buffer, sizeof(buffer), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return count;
  received_.append(buffer, static_cast<size_t>(count));
  body_bytes_ += static_cast<size_t>(count);
  if (in_body_ && body_bytes_ >= limits_.body_bytes) {
    body_bytes_ = 0;
    receive_until_ = Now() + BodyTime();
  }
  return count;
}

void Connection::BeginBody() {
  in_body_ = true;
  body_bytes_ = 0;
  body_began_ = Now();
  receive_until_ = body_began_ + BodyTime();
}

bool Connection::IsSlowBody() const { return in_body_ && Now() - body_began_ >= BodyTime(); }

HttpProblem Connection::CheckHead() {
  receive_timed_out_ = in_body_ = false;
  received_.erase(0, taken_);
  taken_ = searched_ = 0;
  const size_t end = received_.find("\r\n\r\n");
  if (end != std::string::npos) return shim::CheckHead(std::string_view(received_).substr(0, end + 4));
  const HttpProblem problem = CheckHeadSize(received_);
  return problem.status != 0 ? problem : HttpProblem{408, "the request did not arrive in time"};
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

void Connection::BeginResponse() { send_until_ = Now() + limits_.send; }

ssize_t Connection::Write(std::string_view text, std::string_view more) {
  const auto all = static_cast<ssize_t>(text.size() + more.size());
  while (!text.empty() || !more.empty()) {
    iovec parts[] = {{const_cast<char*>(text.data()), text.size()}, {const_cast<char*>(more.data()), more.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t count = sendmsg(fd_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      const size_t of_text = std::min(static_cast<size_t>(count), text.size());
      text.remove_prefix(of_text);
      more.remove_prefix(static_cast<size_t>(count) - of_text);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    if (!Wait(POLLOUT, std::min(send_until_, Now() + limits_.send_stall))) return -1;
  }
  return all;
}

const std::string& Connection::PeerAddress() {
  if (peer_address_.empty()) peer_address_ = base::PeerAddress(fd_);
  return peer_address_;
}

bool Connection::ClientLeft() const {
  pollfd entry{fd_, POLLRDHUP, 0};
  return poll(&entry, 1, 0) > 0;
}

void Connection::BeginLinger() {
  shutdown(fd_, SHUT_WR);
  received_ = std::string();
  taken_ = searched_ = discarded_ = 0;
  linger_until_ = Now() + kLongestLinger;
}

bool Connection::Discard() {
  char buffer[64 << 10];
  for (const size_t end = discarded_ + kDiscardAtOnce; discarded_ < end;) {
    const ssize_t count = recv(fd_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count <= 0) return false;
    discarded_ += static_cast<size_t>(count);
  }
  return discarded_ < kMostDiscarded && Now() < linger_until_;
}

void Connection::Linger() {
  BeginLinger();
  const absl::Duration until = Now() + absl::Seconds(1);
  while (Wait(POLLIN, until) && Now() < until && Discard()) {
  }
}

}  // namespace logquery::shim
