// Asked before each run of a query in the engine, and told of its end: for a process that keeps a list of what runs, so as to
// know after a crash which queries may have caused it, and for one that ends runs, as MemoryWatch (memory_watch.h) does.
//
// Answers out of the cache are no runs. Thread-safe implementations only: Enter is called from many threads at once.
#ifndef LOGQUERY_EXECUTION_GUARD_H_
#define LOGQUERY_EXECUTION_GUARD_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

// One run, as the guard tells it from others: the same call by the same token has the same key in another process too.
struct ExecutionKey {
  std::string token_id;  // empty: nobody in particular
  std::string call;      // the endpoint, the caller's SQL and all parameters that are not computed from the time
};

class ExecutionGuard {
 public:
  // Lives as long as the run.
  class Pass {
   public:
    virtual ~Pass() = default;
    // Cancelled when the run is to end early; the call then gets the status that `why_stopped` returns.
    virtual CancellationToken stop() const { return {}; }
    virtual absl::Status why_stopped() const { return absl::OkStatus(); }
  };

  virtual ~ExecutionGuard() = default;

  // May wait, for at most `time_limit` and until `cancellation`. Cancelled, Unavailable: it waited in vain.
  // InvalidArgument: this call may not run; the message says why and until when.
  virtual absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                                      const CancellationToken& cancellation) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_EXECUTION_GUARD_H_
