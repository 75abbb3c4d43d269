// One run in the backend, let in and perhaps ended early by the process's ExecutionGuard.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun run, GuardedRun::Enter(guard, call, time_limit, cancellation));
//     return run.Outcome(backend->Execute(query, bindings, limits, run.cancellation(), sink));
#ifndef LOGQUERY_LIB_ENDPOINT_GUARDED_RUN_H_
#define LOGQUERY_LIB_ENDPOINT_GUARDED_RUN_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/bound_call.h"
#include "logquery/cancellation.h"
#include "logquery/execution_guard.h"

namespace logquery::endpoint {

class GuardedRun {
 public:
  // `guard` nullptr: all may run. What ExecutionGuard::Enter returns.
  static absl::StatusOr<GuardedRun> Enter(ExecutionGuard* guard, const BoundCall& call, absl::Duration time_limit,
                                          const CancellationToken& cancellation);

  // The caller's and the guard's in one.
  const CancellationToken& cancellation() const { return cancellation_; }
  // `status`, which the backend returned, or why the guard ended the run.
  absl::Status Outcome(const absl::Status& status) const;

 private:
  explicit GuardedRun(const CancellationToken& cancellation) : cancellation_(cancellation) {}

  CancellationToken cancellation_;
  std::unique_ptr<ExecutionGuard::Pass> pass_;
  // They end before the pass does.
  CancellationToken::Registration from_caller_;
  CancellationToken::Registration from_guard_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_GUARDED_RUN_H_
