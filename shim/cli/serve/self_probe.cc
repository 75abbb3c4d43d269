// Requests /health from the server's own listener, for the service manager's watchdog.
#include "shim/cli/serve/self_probe.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "logquery/clock.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kRequest =
    "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: watchdog\r\nConnection: close\r\n\r\n";
constexpr std::string_view kGood = "HTTP/1.1 200 ";

// Sets how long one step may take. False: there is no time left.
bool SetTimeouts(int fd, absl::Duration left) {
  const timeval time = absl::ToTimeval(left);
  if (time.tv_sec == 0 && time.tv_usec == 0) return false;  // to the kernel that is forever
  return left > absl::ZeroDuration() && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time)) == 0 &&
         setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)) == 0;
}

bool AskOn(int fd, const sockaddr* address, socklen_t length, absl::Duration at_most) {
  const absl::Duration until = Clock::Real()->Monotonic() + at_most;
  if (!SetTimeouts(fd, at_most) || connect(fd, address, length) != 0 ||
      send(fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(kRequest.size())) {
    return false;
  }
  std::string answer;
  while (answer.size() < kGood.size() && SetTimeouts(fd, until - Clock::Real()->Monotonic())) {
    char buffer[256];
    const ssize_t count = recv(fd, buffer, sizeof(buffer), 0);
    if (count <= 0) return false;
    answer.append(buffer, static_cast<size_t>(count));
  }
  return answer.substr(0, kGood.size()) == kGood;
}

}  // namespace

bool AnswersHealth(int listening_fd, absl::Duration at_most) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  if (getsockname(listening_fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  const int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const bool good = AskOn(fd, reinterpret_cast<const sockaddr*>(&address), length, at_most);
  close(fd);
  return good;
}

}  // namespace logquery::shim
