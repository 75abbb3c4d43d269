// The parent of a server: a small single-threaded process without engine and HTTP, which holds the listening sockets
// and restarts the server when it crashes. Meanwhile connections wait in the sockets' backlog.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SUPERVISOR_H_
#define LOGQUERY_SHIM_CLI_SERVE_SUPERVISOR_H_

#include <functional>
#include <string_view>

#include "absl/time/time.h"
#include "shim/cli/serve/service_manager.h"
#include "shim/observe/crash_board.h"

namespace logquery::shim {

struct SupervisorOptions {
  ListeningSockets sockets;
  ServiceManager manager;
  CrashBoard* board = nullptr;  // records the servers' queries; borrowed
  std::function<void(std::string_view level, std::string_view line)> log;
};

// Returns how long the supervisor waits before it restarts a server that has crashed `deaths` times in a row: zero for
// the first time, then 100 ms, doubled each time up to 10 s.
absl::Duration RestartDelay(int deaths);

// Runs this program again with the same arguments as a server on the sockets, until it is stopped:
//   SIGTERM, SIGINT   stop the server as without a supervisor: the second at once, the third by SIGKILL
//   SIGHUP            is forwarded to the server
// Blocks these signals from now on. Returns the exit code of the server that was told to stop, or of one that ended by
// itself before its first answer, and reported the reason on standard error. 1: it was killed.
int Supervise(const SupervisorOptions& options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SUPERVISOR_H_
