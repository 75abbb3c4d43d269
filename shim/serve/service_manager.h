// What systemd and its like agree on with the services that they start: sockets that they hold, and datagrams that say how
// the service is. Written by hand from sd_listen_fds(3) and sd_notify(3): the protocols are three variables each.
#ifndef LOGQUERY_SHIM_SERVE_SERVICE_MANAGER_H_
#define LOGQUERY_SHIM_SERVE_SERVICE_MANAGER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

// Sockets that listen, by what is served on them. -1: none. Owned by who has the value.
struct ListeningSockets {
  int listen = -1;
  int admin = -1;
  // The service manager keeps the socket and hands it to the next server: a stop closes its descriptor and leaves the socket
  // listening. shutdown() would end it for everybody who has it.
  bool listen_is_kept = false;
  bool admin_is_kept = false;
};

// The sockets that this process was started with (LISTEN_FDS): the one named "admin" is that of the admin listener, any
// other one that of the listener; without names they come in this order. The variables are removed, so that no other
// process takes the sockets for its own. InvalidArgument: there are more, or one is no socket that listens for streams.
absl::StatusOr<ListeningSockets> TakeActivatedSockets();

// Tells the service manager how the service is, where there is one. Thread-safe.
class ServiceManager {
 public:
  // Nobody is told anything.
  ServiceManager() = default;
  // Takes NOTIFY_SOCKET and WATCHDOG_USEC out of the environment. Called while the process has one thread.
  static ServiceManager FromEnvironment();

  // Sends lines such as "READY=1". A message that can't be delivered is lost: there is nobody else to tell.
  void Notify(std::string_view state) const;
  // How often at least "WATCHDOG=1" is wanted; zero: never.
  absl::Duration watchdog() const { return watchdog_; }

 private:
  std::string address_;  // a path, or "@" and an abstract name; empty: none
  absl::Duration watchdog_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SERVICE_MANAGER_H_
