// What signals mean to a process that serves.
#ifndef LOGQUERY_SHIM_SERVE_SERVE_SIGNALS_H_
#define LOGQUERY_SHIM_SERVE_SERVE_SIGNALS_H_

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <vector>

#include "absl/time/time.h"
#include "shim/http/http_server.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

// Blocks the signals that ServeUntilSignal waits for, here and in all threads and processes that are started later.
sigset_t BlockServeSignals();

// Counts requests to stop. Those of a supervisor are counted by it: where a terminal or a service manager signals both
// processes, the server gets one signal twice.
class StopCount {
 public:
  // `supervisor` 0: there is none, and each signal counts.
  explicit StopCount(pid_t supervisor) : supervisor_(supervisor) {}
  // How often a stop is asked for, with this signal of the process `sender`.
  int Add(pid_t sender);

 private:
  const pid_t supervisor_;
  int all_ = 0;
  int from_supervisor_ = 0;
};

struct ServeUntil {
  pid_t supervisor = 0;
  absl::Duration grace;          // for requests to finish
  std::function<void()> reload;  // on SIGHUP
};

// Serves until SIGTERM or SIGINT; a second one ends what is still going on.
void ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, const ServeUntil& until,
                      RequestLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SERVE_SIGNALS_H_
