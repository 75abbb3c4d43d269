// Consulted before and after each run of a query in the engine. One use is a process that records running queries, to
// find out after a crash which ones may have caused it. Another is ending runs early, as MemoryWatch (memory_watch.h)
// does.
//
// Cached answers are not runs. Implementations must be thread-safe: Enter is called from many threads at once.
#ifndef LOGQUERY_EXECUTION_GUARD_H_
#define LOGQUERY_EXECUTION_GUARD_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

// Identifies a run for the guard: the same call with the same token has the same key, across processes too.
struct ExecutionKey {
  std::string token_id;  // empty: no token was used
  std::string call;      // the endpoint, the caller's SQL and all parameters that are not computed from the time
  // The endpoint, and the caller's SQL without its constants: calls that differ in literals and in parameters' values
  // have the same shape.
  std::string shape = {};
};

class ExecutionGuard {
 public:
  // Held for the duration of the run.
  class Pass {
   public:
    virtual ~Pass() = default;
    // Cancelled when the run must end early. The call then gets the status that `why_stopped` returns.
    virtual CancellationToken stop() const { return {}; }
    virtual absl::Status why_stopped() const { return absl::OkStatus(); }
    // Called at most once, by an OverdueWatch (overdue_watch.h) on its thread: the run has not ended 2 seconds after its deadline.
    virtual void OnOverdue(absl::Duration /*ran*/) {}
  };

  virtual ~ExecutionGuard() = default;

  // Returns a pass for the run. May block, for at most `time_limit` and until `cancellation` is cancelled. Cancelled,
  // Unavailable: the wait was in vain. InvalidArgument: this call may not run; the message says why and until when.
  virtual absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                                      const CancellationToken& cancellation) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_EXECUTION_GUARD_H_
