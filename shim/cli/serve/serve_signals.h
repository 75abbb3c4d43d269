// The meaning of signals in a serving process.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_SIGNALS_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_SIGNALS_H_

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/http_server.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {

// Blocks the signals that ServeUntilSignal and LastSignals handle, in this and all threads and processes started later.
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

// Ends the process when it does not end by itself, because a query or a request can't be stopped.
class LastResort {
 public:
  // `end` is called on a thread of its own, unless the object is destroyed before. The thread starts here: at the end the
  // system may have none left.
  explicit LastResort(std::function<void()> end);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

  // ResourceExhausted: there is no thread, and `end` is never called.
  absl::Status status() const { return thread_.status(); }
  // Calls `end` after this time. A later call can only shorten the time.
  void EndAfter(absl::Duration time);

 private:
  void Wait();
  bool HasChanged() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return changed_; }

  const std::function<void()> end_;
  absl::Mutex mutex_;
  absl::Time at_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  bool changed_ ABSL_GUARDED_BY(mutex_) = false;
  bool over_ ABSL_GUARDED_BY(mutex_) = false;
  absl::StatusOr<std::thread> thread_;
};

struct ServeUntil {
  absl::Duration grace;               // time for requests to finish
  std::function<void()> reload;       // called on SIGHUP
  LastResort* last_resort = nullptr;  // is told when the process has to end; nullptr: nobody is
};

// Serves until SIGTERM or SIGINT; a second one ends the remaining requests, and a third one the process. ResourceExhausted:
// the system has no threads for the servers; none serves then.
absl::Status ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, const ServeUntil& until,
                              StopCount& stops, RequestLog& log);

// Handles the signals after that, while the rest of the process stops: the third one ends it, whatever it waits for.
class LastSignals {
 public:
  // `stops` is borrowed.
  LastSignals(const sigset_t& signals, StopCount* stops);
  ~LastSignals();
  LastSignals(const LastSignals&) = delete;
  LastSignals& operator=(const LastSignals&) = delete;

 private:
  void Watch();

  const sigset_t signals_;
  StopCount* const stops_;
  std::atomic<bool> over_{false};
  absl::StatusOr<std::thread> thread_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_SIGNALS_H_
