// Admits queries to the engine according to the crash board: those that ran when a server crashed run alone, and those
// that crashed it while running alone, or did not end after their deadline, are rejected for a while. All others run
// concurrently. A query is known by its token and its shape, so that other constants are not another query.
#ifndef LOGQUERY_SHIM_CLI_SERVE_QUERY_QUARANTINE_H_
#define LOGQUERY_SHIM_CLI_SERVE_QUERY_QUARANTINE_H_

#include <functional>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "logquery/clock.h"
#include "logquery/execution_guard.h"
#include "shim/observe/crash_board.h"

namespace logquery::shim {

// Thread-safe. The board and the clock are borrowed. Passes must not outlive it.
class QueryQuarantine : public ExecutionGuard {
 public:
  // Gets the slot of the board of a run that is overdue, and how long it has run. It may end the process.
  using OnOverdue = std::function<void(int slot, absl::Duration ran)>;

  QueryQuarantine(CrashBoard* board, const Clock* clock, OnOverdue on_overdue = {});

  // InvalidArgument: the query is quarantined. Unavailable: the queries that it must wait for took longer than its own
  // time limit, or too many are running.
  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) override;

 private:
  class Run;
  absl::StatusOr<bool> WaitForTurn(const CallDigest& digest, absl::Duration at_most,
                                   const CancellationToken& cancellation);
  absl::Status CheckRefused(const CallDigest& digest);
  void Leave(const CallDigest& digest, bool alone);

  CrashBoard* const board_;
  const Clock* const clock_;
  const OnOverdue on_overdue_;
  absl::Mutex mutex_;
  std::map<CallDigest, CrashBoard::Remembered> remembered_ ABSL_GUARDED_BY(mutex_);
  int running_ ABSL_GUARDED_BY(mutex_) = 0;         // concurrent runs
  bool one_alone_ ABSL_GUARDED_BY(mutex_) = false;  // a suspect runs alone
  int wait_alone_ ABSL_GUARDED_BY(mutex_) = 0;  // suspects that wait for the others to end; no new run starts meanwhile
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_QUERY_QUARANTINE_H_
