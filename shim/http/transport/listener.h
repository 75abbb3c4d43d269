// Listening sockets, and helpers to wake or end their connections.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_LISTENER_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_LISTENER_H_

#include <set>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

struct ListenAddress {
  std::string host;
  int port = 0;
};

// Parses "127.0.0.1:4000", "[::1]:0" or "localhost:80". InvalidArgument: anything else; the message has the valid form.
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

// A descriptor that is readable while the flag is raised, for threads that also wait for other descriptors.
// Thread-safe.
class WakeFlag {
 public:
  WakeFlag();
  ~WakeFlag();
  WakeFlag(const WakeFlag&) = delete;
  WakeFlag& operator=(const WakeFlag&) = delete;

  void Raise();
  void Lower();
  int fd() const { return fd_; }

 private:
  const int fd_;
};

// The open connections, to be shut down when a stop takes too long. Thread-safe.
class OpenConnections {
 public:
  void Add(int fd);
  // Must be called before the descriptor is closed, because its number may be reused afterwards.
  void Remove(int fd);
  // Also shuts down connections that are added later.
  void ShutAll();

 private:
  absl::Mutex mutex_;
  std::set<int> fds_ ABSL_GUARDED_BY(mutex_);
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_LISTENER_H_
