// Implements systemd's protocols: inherited sockets, readiness, watchdog.
#include "shim/cli/serve/service_manager.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr int kFirstFd = 3;  // of those that are passed, as sd_listen_fds(3) has it

std::string TakeVariable(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value != nullptr ? value : "";
  unsetenv(name);
  return text;
}

// Whether a variable that names a process names this one. Absent, it is about whoever reads it.
bool IsForThisProcess(const std::string& pid) { return pid.empty() || pid == std::to_string(getpid()); }

bool ListensForStreams(int fd) {
  int listens = 0;
  int type = 0;
  socklen_t length = sizeof(int);
  return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0 &&
         getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

}  // namespace

absl::StatusOr<ListeningSockets> TakeActivatedSockets() {
  const std::string pid = TakeVariable("LISTEN_PID");
  const std::string count_text = TakeVariable("LISTEN_FDS");
  const std::vector<std::string> names = absl::StrSplit(TakeVariable("LISTEN_FDNAMES"), ':');
  ListeningSockets sockets;
  if (count_text.empty() || pid.empty() || !IsForThisProcess(pid)) return sockets;
  int count = 0;
  if (!absl::SimpleAtoi(count_text, &count) || count < 0 || count > 2) {
    return absl::InvalidArgumentError(
        base::StrCat("LISTEN_FDS is ", count_text,
                     "; a server takes up to two sockets: the listener's and, named admin, "
                     "the admin listener's"));
  }
  for (int i = 0; i < count; ++i) {
    const int fd = kFirstFd + i;
    if (!ListensForStreams(fd)) {
      return absl::InvalidArgumentError(
          base::StrCat("file descriptor ", fd, " of LISTEN_FDS is no stream socket that listens"));
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    const bool named_admin = static_cast<size_t>(i) < names.size() && names[static_cast<size_t>(i)] == "admin";
    const bool is_admin = named_admin || sockets.listen >= 0;
    int& place = is_admin ? sockets.admin : sockets.listen;
    if (place >= 0) return absl::InvalidArgumentError("LISTEN_FDNAMES names two sockets admin; one is the listener's");
    place = fd;
    (is_admin ? sockets.admin_is_kept : sockets.listen_is_kept) = true;
  }
  return sockets;
}

ServiceManager ServiceManager::FromEnvironment() {
  ServiceManager manager;
  manager.address_ = TakeVariable("NOTIFY_SOCKET");
  const std::string pid = TakeVariable("WATCHDOG_PID");
  int64_t micros = 0;
  if (absl::SimpleAtoi(TakeVariable("WATCHDOG_USEC"), &micros) && micros > 0 && IsForThisProcess(pid) &&
      !manager.address_.empty()) {
    manager.watchdog_ = absl::Microseconds(micros);
  }
  return manager;
}

void ServiceManager::Notify(std::string_view state) const {
  sockaddr_un address{};
  if (address_.empty() || address_.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  address_.copy(address.sun_path, address_.size());
  if (address_.front() == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  sendto(fd, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&address),
         length);
  close(fd);
}

}  // namespace logquery::shim
