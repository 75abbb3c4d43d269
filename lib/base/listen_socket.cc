// Listening sockets: TCP, the admin listener, and the socket in the data folder.
#include "lib/base/listen_socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

// The most connections that the kernel lets wait; a burst of connections is not to be refused.
constexpr int kBacklog = 511;

// An address of a Unix socket holds 107 bytes, and a path may be longer: so it is given from its folder, which is open as
// long as this lives.
class UnixAddress {
 public:
  explicit UnixAddress(const std::string& path) {
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    folder_ = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const std::string near = StrCat("/proc/self/fd/", folder_, "/", path.substr(slash + 1));
    address_.sun_family = AF_UNIX;
    fits_ = near.size() < sizeof(address_.sun_path);
    if (fits_) near.copy(address_.sun_path, near.size());
  }
  ~UnixAddress() {
    if (folder_ >= 0) close(folder_);
  }
  UnixAddress(const UnixAddress&) = delete;
  UnixAddress& operator=(const UnixAddress&) = delete;

  bool is_good() const { return folder_ >= 0 && fits_; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  static socklen_t length() { return sizeof(sockaddr_un); }

 private:
  int folder_ = -1;
  bool fits_ = false;
  sockaddr_un address_{};
};

}  // namespace

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text) {
  const size_t colon = text.rfind(':');
  ListenAddress address;
  bool good = colon != std::string_view::npos && colon > 0;
  if (good) {
    std::string_view host = text.substr(0, colon);
    if (host.front() == '[' && host.back() == ']') {
      host = host.substr(1, host.size() - 2);
    } else {
      good = host.find(':') == std::string_view::npos;
    }
    const std::string_view port = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    good =
        good && error == std::errc() && end == port.data() + port.size() && address.port >= 0 && address.port <= 65'535;
    address.host = host;
  }
  if (!good || address.host.empty()) {
    return absl::InvalidArgumentError(
        StrCat("an address is HOST:PORT, such as 127.0.0.1:4000 or [::1]:4000, not ", text));
  }
  return address;
}

bool IsLoopback(std::string_view host) {
  const std::string text(host);
  in_addr v4;
  in6_addr v6;
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (inet_pton(AF_INET6, text.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

absl::StatusOr<int> ListenOn(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  if (const int error = getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found); error != 0) {
    return absl::InvalidArgumentError(StrCat("can't listen on ", address.host, ": ", gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, freeaddrinfo);
  const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  // Not SO_REUSEPORT: two servers would share a port, and neither would be told.
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, kBacklog) == 0) return fd;

  const int error = errno;
  if (fd >= 0) close(fd);
  const std::string message = StrCat("can't listen on ", address.host, ":", address.port, ": ",
                                     error == EADDRINUSE ? "the port is taken" : std::strerror(error));
  if (error == EADDRNOTAVAIL) return absl::InvalidArgumentError(message);
  return error == EACCES ? absl::PermissionDeniedError(message) : absl::UnavailableError(message);
}

absl::StatusOr<int> ListenOnUnix(const std::string& path) {
  UnixAddress address(path);
  const int fd = address.is_good() ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
  unlink(path.c_str());
  // Nobody can connect before listen: by then it is its owner's alone.
  if (fd >= 0 && bind(fd, address.get(), address.length()) == 0 && chmod(path.c_str(), 0600) == 0 &&
      listen(fd, kBacklog) == 0) {
    return fd;
  }
  const int error = errno;
  if (fd >= 0) close(fd);
  const std::string message = StrCat("can't listen on ", path, ": ", std::strerror(error));
  return error == EACCES || error == EROFS ? absl::PermissionDeniedError(message) : absl::UnavailableError(message);
}

absl::StatusOr<int> ConnectToUnix(const std::string& path) {
  UnixAddress address(path);
  const int fd = address.is_good() ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
  if (fd >= 0 && connect(fd, address.get(), address.length()) == 0) return fd;
  const int error = errno;
  if (fd >= 0) close(fd);
  const std::string message = StrCat("can't connect to ", path, ": ", std::strerror(error));
  return error == EACCES ? absl::PermissionDeniedError(message) : absl::NotFoundError(message);
}

int PortOf(int listening_fd) {
  sockaddr_storage bound{};
  socklen_t length = sizeof(bound);
  getsockname(listening_fd, reinterpret_cast<sockaddr*>(&bound), &length);
  if (bound.ss_family != AF_INET && bound.ss_family != AF_INET6) return 0;
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                           : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
}

std::string HostOf(int listening_fd) {
  sockaddr_storage bound{};
  socklen_t length = sizeof(bound);
  char host[NI_MAXHOST];
  if (getsockname(listening_fd, reinterpret_cast<sockaddr*>(&bound), &length) != 0 ||
      (bound.ss_family != AF_INET && bound.ss_family != AF_INET6) ||
      getnameinfo(reinterpret_cast<sockaddr*>(&bound), length, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) != 0) {
    return "";
  }
  return host;
}

std::string PeerAddress(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  char host[NI_MAXHOST];
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) != 0) {
    return "";
  }
  return host;
}

}  // namespace logquery::base
