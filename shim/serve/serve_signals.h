// The meaning of signals in a serving process.
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

// Blocks the signals that ServeUntilSignal handles, in this and all threads and processes started later.
sigset_t BlockServeSignals();

// Counts requests to stop. With a supervisor, its own count is used: if a terminal or a service manager signals both
// processes, the server gets one signal twice.
class StopCount {
 public:
  // `supervisor` is 0 if there is none; then each signal counts.
  explicit StopCount(pid_t supervisor) : supervisor_(supervisor) {}
  // Returns how often a stop has been requested, including this signal from the process `sender`.
  int Add(pid_t sender);

 private:
  const pid_t supervisor_;
  int all_ = 0;
  int from_supervisor_ = 0;
};

struct ServeUntil {
  pid_t supervisor = 0;
  absl::Duration grace;          // time for requests to finish
  std::function<void()> reload;  // called on SIGHUP
};

// Serves until SIGTERM or SIGINT; a second one ends the remaining requests.
void ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, const ServeUntil& until,
                      RequestLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SERVE_SIGNALS_H_
