// Sockets that listen, and what is needed to wake up or end the connections that come from them.
#ifndef LOGQUERY_SHIM_HTTP_LISTENER_H_
#define LOGQUERY_SHIM_HTTP_LISTENER_H_

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

// "127.0.0.1:4000", "[::1]:0", "localhost:80". InvalidArgument: anything else, with what it should be.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text);
// Whether only this machine can connect to it.
bool IsLoopback(std::string_view host);

// A listening TCP socket; port 0: one that is free.
// InvalidArgument: the host is no address of this machine. Unavailable: the port is taken. PermissionDenied: it may not be
// used.
absl::StatusOr<int> ListenOn(const ListenAddress& address);
// 0 where it is no TCP socket.
int PortOf(int listening_fd);
// The address that it listens on, as digits; empty where it is no TCP socket.
std::string HostOf(int listening_fd);
// A listening Unix socket that only its owner may connect to. What is at `path` from before is replaced: whoever calls
// this has the folder for himself. Unavailable, PermissionDenied.
absl::StatusOr<int> ListenOnUnix(const std::string& path);
// A connection to it. NotFound: nobody listens there. PermissionDenied.
absl::StatusOr<int> ConnectToUnix(const std::string& path);

// The other side's address, as digits; empty when it has none.
std::string PeerAddress(int fd);

// A descriptor that is readable while the flag is raised: what threads wait on beside their own. Thread-safe.
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

// The connections that are open, to be shut down when a stop takes too long. Thread-safe.
class OpenConnections {
 public:
  void Add(int fd);
  // Before the descriptor is closed: afterwards its number may be another's.
  void Remove(int fd);
  // Also those that are added later.
  void ShutAll();

 private:
  absl::Mutex mutex_;
  std::set<int> fds_ ABSL_GUARDED_BY(mutex_);
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_LISTENER_H_
