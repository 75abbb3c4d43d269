// Merges the caller's and the guard's cancellation, and reports which one ended the run.
#include "lib/endpoint/call/guarded_run.h"

#include <string>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_shape.h"

namespace logquery::endpoint {
namespace {

std::string ShapeOf(const BoundCall& call) {
  return base::StrCat(call.spec.endpoint_id.size(), ":", call.spec.endpoint_id, SqlShape(call.spec.sql));
}

}  // namespace

absl::StatusOr<GuardedRun> GuardedRun::Enter(ExecutionGuard* guard, const BoundCall& call, absl::Duration time_limit,
                                             const CancellationToken& cancellation) {
  GuardedRun run(cancellation);
  if (guard == nullptr) return run;
  const ExecutionKey key{call.spec.token_id, CacheKey(call.spec, call.definition(), call.bound, 0), ShapeOf(call)};
  LOGQUERY_ASSIGN_OR_RETURN(run.pass_, guard->Enter(key, time_limit, cancellation));
  CancellationSource either;
  run.cancellation_ = either.token();
  run.from_caller_ = cancellation.OnCancel([either]() mutable { either.Cancel(); });
  run.from_guard_ = run.pass_->stop().OnCancel([either]() mutable { either.Cancel(); });
  return run;
}

absl::Status GuardedRun::Outcome(const absl::Status& status) const {
  if (status.ok() || pass_ == nullptr) return status;
  const absl::Status stopped = pass_->why_stopped();
  return stopped.ok() ? status : stopped;
}

}  // namespace logquery::endpoint
