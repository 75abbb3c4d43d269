// Lets queries into the engine as the crash board says: those that ran when a server died run alone, and those that ended
// one while they ran alone are refused for a while. All others run side by side.
#ifndef LOGQUERY_SHIM_SERVE_QUERY_QUARANTINE_H_
#define LOGQUERY_SHIM_SERVE_QUERY_QUARANTINE_H_

#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "logquery/clock.h"
#include "logquery/execution_guard.h"
#include "shim/serve/crash_board.h"

namespace logquery::shim {

// Thread-safe. The board and the clock are borrowed. Passes must not outlive it.
class QueryQuarantine : public ExecutionGuard {
 public:
  QueryQuarantine(CrashBoard* board, const Clock* clock);

  // InvalidArgument: the query is quarantined. Unavailable: the queries that it has to wait for took longer than its own
  // time, or too many run.
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
  absl::Mutex mutex_;
  std::map<CallDigest, CrashBoard::Remembered> remembered_ ABSL_GUARDED_BY(mutex_);
  int running_ ABSL_GUARDED_BY(mutex_) = 0;         // side by side
  bool one_alone_ ABSL_GUARDED_BY(mutex_) = false;  // runs
  int wait_alone_ ABSL_GUARDED_BY(mutex_) = 0;      // for the others to end; no further one begins meanwhile
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_QUERY_QUARANTINE_H_
