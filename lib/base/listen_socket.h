// Listening sockets: TCP, and Unix sockets in a folder of which only its owner may know.
#ifndef LOGQUERY_LIB_BASE_LISTEN_SOCKET_H_
#define LOGQUERY_LIB_BASE_LISTEN_SOCKET_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace logquery::base {

struct ListenAddress {
  std::string host;
  int port = 0;
};

// Parses "127.0.0.1:4000", "[::1]:0" or "localhost:80". InvalidArgument: anything else.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text);
// Returns whether only this machine can connect to it.
bool IsLoopback(std::string_view host);

// Opens a listening TCP socket; port 0: any free port. InvalidArgument: the host is not an address of this machine.
// Unavailable: the port is in use. PermissionDenied: the port is not allowed.
absl::StatusOr<int> ListenOn(const ListenAddress& address);
// Returns 0 if it is not a TCP socket.
int PortOf(int listening_fd);
// Returns the numeric address on which it listens; empty if it is not a TCP socket.
std::string HostOf(int listening_fd);
// Opens a listening Unix socket to which only its owner can connect. Replaces an existing file at `path`: the caller
// must own the folder exclusively. Unavailable, PermissionDenied.
absl::StatusOr<int> ListenOnUnix(const std::string& path);
// Connects to it. NotFound: no process listens there. PermissionDenied.
absl::StatusOr<int> ConnectToUnix(const std::string& path);

// Returns the peer's numeric address; empty if it has none.
std::string PeerAddress(int fd);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LISTEN_SOCKET_H_
