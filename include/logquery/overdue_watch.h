// Finds queries that do not end after their deadline. The engine looks for an interrupt too seldom in some of its code: a query in
// there holds a thread, and nothing but the end of the process ends it.
//
//     OverdueWatchOptions overdue;
//     overdue.on_overdue = [](const ExecutionKey& query, absl::Duration ran) { … };     // log it, end the process
//     OverdueWatch watch(overdue);
//     service_options.guard = &watch;
//
// A query is overdue 2 seconds after its deadline. On a machine that gives the process no time, queries are late through no fault
// of their own: as long as the process has had less than a second of processor time since the deadline, a query may take 10
// seconds more. One thread looks four times a second while queries run. Thread-safe.
#ifndef LOGQUERY_OVERDUE_WATCH_H_
#define LOGQUERY_OVERDUE_WATCH_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/execution_guard.h"

namespace logquery {

struct OverdueWatchOptions {
  // Called once for each query that is overdue, on the watch's thread, after Pass::OnOverdue of `next`. May be empty.
  std::function<void(const ExecutionKey& query, absl::Duration ran)> on_overdue = {};
  ExecutionGuard* next = nullptr;                       // consulted before a run is watched; borrowed
  absl::Duration look_every = absl::Milliseconds(250);  // zero: only when Look() is called
  // The clocks; empty: the machine's monotonic clock, and the time that processors have spent on this process.
  std::function<absl::Duration()> monotonic = {};
  std::function<absl::Duration()> processor = {};
};

class OverdueWatch : public ExecutionGuard {
 public:
  struct Counters {
    int64_t running = 0;  // overdue queries that have not ended yet
    int64_t total = 0;    // since the start
  };

  explicit OverdueWatch(OverdueWatchOptions options);
  ~OverdueWatch() override;

  // Returns a pass, or the error of `next`. Unavailable: the system allows no thread for the watch; the next call tries again.
  // Passes must not outlive the watch.
  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) override;
  // Looks once.
  void Look();
  Counters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery

#endif  // LOGQUERY_OVERDUE_WATCH_H_
