// Finds queries that do not end after their deadline. The engine looks for an interrupt too seldom in some of its code: a
// query in there holds a thread, and nothing but the end of the process ends it.
#ifndef LOGQUERY_SHIM_CLI_SERVE_OVERDUE_WATCH_H_
#define LOGQUERY_SHIM_CLI_SERVE_OVERDUE_WATCH_H_

#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace logquery::shim {

// The clocks of a watch.
struct OverdueClocks {
  std::function<absl::Duration()> monotonic;
  std::function<absl::Duration()> processor;  // the time that processors have spent on this process
};
OverdueClocks RealOverdueClocks();

// A query is overdue 2 seconds after its deadline. On a machine that gives the process no time, queries are late through no
// fault of their own: as long as the process has had less than a second of processor time since the deadline, a query may take
// 10 seconds more.
//
// Thread-safe. After Start() one thread looks four times a second while queries run.
class OverdueWatch {
 public:
  // `on_overdue` gets a query's number and how long it has run. It is called once for each query, by Look().
  using OnOverdue = std::function<void(int query, absl::Duration ran)>;

  OverdueWatch(OverdueClocks clocks, OnOverdue on_overdue);
  ~OverdueWatch();

  // ResourceExhausted: the system allows no further thread.
  absl::Status Start();
  void Begin(int query, absl::Duration time_limit);
  void End(int query);

  // Looks once. The thread does this; tests that don't start it call this.
  void Look();

 private:
  struct Run {
    absl::Duration began;
    absl::Duration deadline;
    std::optional<absl::Duration> processor_at_deadline;
    bool is_overdue = false;
  };

  void Work();
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !runs_.empty(); }
  bool IsStopping() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; }
  static bool IsOverdue(Run& run, absl::Duration now, absl::Duration processor);

  const OverdueClocks clocks_;
  const OnOverdue on_overdue_;
  absl::Mutex mutex_;
  std::map<int, Run> runs_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // not joinable before Start()
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_OVERDUE_WATCH_H_
