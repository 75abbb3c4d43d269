// The parent of a server: a small process without an engine, without HTTP and without threads, which holds the listening
// sockets and starts the server again when it dies. Connections wait in the sockets' backlog meanwhile.
#ifndef LOGQUERY_SHIM_SERVE_SUPERVISOR_H_
#define LOGQUERY_SHIM_SERVE_SUPERVISOR_H_

#include <functional>
#include <string_view>

#include "absl/time/time.h"
#include "shim/serve/crash_board.h"
#include "shim/serve/service_manager.h"

namespace logquery::shim {

struct SupervisorOptions {
  ListeningSockets sockets;
  ServiceManager manager;
  CrashBoard* board = nullptr;  // of the servers' queries; borrowed
  std::function<void(std::string_view level, std::string_view line)> log;
};

// How long the supervisor waits before it starts the server again that has died `deaths` times in a row: not at all the first
// time, then 100 ms and twice as long each time, up to 10 s.
absl::Duration RestartDelay(int deaths);

// Runs this program again with the same arguments as a server on the sockets, for as long as it is wanted:
//   SIGTERM, SIGINT   end the server as they end one without a supervisor: the second at once, the third by SIGKILL
//   SIGHUP            goes to the server
// These are blocked from here on. Returns the exit code of the server that was told to end, or of one that
// ended by itself before it had answered for the first time: it says why on standard error. 1: it was killed.
int Supervise(const SupervisorOptions& options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SUPERVISOR_H_
