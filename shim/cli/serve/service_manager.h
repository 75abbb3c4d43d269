// The protocols between systemd, or a similar service manager, and its services: inherited sockets, and datagrams with
// the service's state. Implemented directly from sd_listen_fds(3) and sd_notify(3), because each protocol is only three
// variables.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVICE_MANAGER_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVICE_MANAGER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

// Listening sockets by purpose. -1: none. The holder of the value owns them.
struct ListeningSockets {
  int listen = -1;
  int admin = -1;
  // The service manager keeps the socket and passes it to the next server. A stop therefore closes its descriptor and
  // leaves the socket listening; shutdown() would end it for all processes.
  bool listen_is_kept = false;
  bool admin_is_kept = false;
};

// Returns the sockets with which this process was started (LISTEN_FDS): the one named "admin" for the admin listener,
// any other one for the main listener; unnamed sockets in this order. Removes the variables, so that no child process
// takes the sockets. InvalidArgument: there are more sockets, or one is not a listening stream socket.
absl::StatusOr<ListeningSockets> TakeActivatedSockets();

// Reports the service's state to the service manager, if there is one. Thread-safe.
class ServiceManager {
 public:
  // Reports to nobody.
  ServiceManager() = default;
  // Takes NOTIFY_SOCKET and WATCHDOG_USEC from the environment. Must be called while the process has one thread.
  static ServiceManager FromEnvironment();

  // Sends lines such as "READY=1". A message that can't be delivered is dropped.
  void Notify(std::string_view state) const;
  // The maximum interval between "WATCHDOG=1" messages; zero: they are not requested.
  absl::Duration watchdog() const { return watchdog_; }

 private:
  std::string address_;  // a path, or "@" and an abstract name; empty: none
  absl::Duration watchdog_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVICE_MANAGER_H_
