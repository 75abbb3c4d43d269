// One run in the backend that the process's ExecutionGuard admits and may end early.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun run, GuardedRun::Enter(guard, call, time_limit, cancellation));
//     return run.Outcome(backend->Execute(query, bindings, limits, run.cancellation(), sink));
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_GUARDED_RUN_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_GUARDED_RUN_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/bound_call.h"
#include "logquery/cancellation.h"
#include "logquery/execution_guard.h"

namespace logquery::endpoint {

class GuardedRun {
 public:
  // `guard` may be nullptr: then every run is admitted. Statuses: those of ExecutionGuard::Enter.
  static absl::StatusOr<GuardedRun> Enter(ExecutionGuard* guard, const BoundCall& call, absl::Duration time_limit,
                                          const CancellationToken& cancellation);

  // Cancelled when the caller or the guard cancels.
  const CancellationToken& cancellation() const { return cancellation_; }
  // Returns `status`, which the backend returned, or the guard's reason if the guard ended the run.
  absl::Status Outcome(const absl::Status& status) const;

 private:
  explicit GuardedRun(const CancellationToken& cancellation) : cancellation_(cancellation) {}

  CancellationToken cancellation_;
  std::unique_ptr<ExecutionGuard::Pass> pass_;
  // Destroyed before the pass.
  CancellationToken::Registration from_caller_;
  CancellationToken::Registration from_guard_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_GUARDED_RUN_H_
