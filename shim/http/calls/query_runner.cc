// The waiting and the running thread share the state of a call, so that either may outlive the other.
#include "shim/http/calls/query_runner.h"

#include <optional>
#include <utility>
#include <vector>

#include "logquery/call_trace.h"
#include "logquery/clock.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kLookEvery = absl::Milliseconds(50);

absl::Status TooManyWait() { return absl::UnavailableError("too many queries wait already; try again in a moment"); }

absl::Duration Monotonic() { return Clock::Real()->Monotonic(); }

}  // namespace

// Shared by the thread that waits and the one that runs, as either may be the last to need it.
struct QueryRunner::Execution {
  CallTarget target;
  QueryRequest request;
  CancellationSource cancellation;
  absl::Duration submitted;
  int queue_step = 0;  // of the request's trace

  absl::Mutex mutex;
  absl::Duration queued ABSL_GUARDED_BY(mutex);
  bool begun ABSL_GUARDED_BY(mutex) = false;
  bool given_up ABSL_GUARDED_BY(mutex) = false;
  std::optional<absl::StatusOr<QueryAnswer>> answer ABSL_GUARDED_BY(mutex);

  // False: nobody waits for it any more.
  bool TryBegin() {
    absl::MutexLock lock(&mutex);
    begun = !given_up;
    queued = Monotonic() - submitted;
    request.queued = queued;  // the request is this thread's from here on
    if (begun) EndQueue(absl::StatusCode::kOk);
    return begun;
  }
  // Once: it has begun, or never will.
  void EndQueue(absl::StatusCode code) const {
    if (request.trace != nullptr) request.trace->End(queue_step, {.code = code});
  }
  // True once: from then on it will not begin. False: it has begun, or was given up before.
  bool TryGiveUp() {
    absl::MutexLock lock(&mutex);
    if (begun || given_up) return false;
    given_up = true;
    return true;
  }
  void SetAnswer(absl::StatusOr<QueryAnswer> made) {
    absl::MutexLock lock(&mutex);
    answer = std::move(made);
  }
  bool WaitForAnswer(absl::Duration at_most) {
    absl::MutexLock lock(&mutex);
    const auto there = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex) { return answer.has_value(); };
    return mutex.AwaitWithTimeout(absl::Condition(&there), at_most);
  }
};

std::shared_ptr<QueryRunner::Execution> QueryRunner::Begin(CallTarget target, QueryRequest request) {
  auto execution = std::make_shared<Execution>();
  execution->target = std::move(target);
  execution->request = std::move(request);
  execution->request.cancellation = execution->cancellation.token();
  execution->submitted = Monotonic();
  if (execution->request.trace != nullptr) execution->queue_step = execution->request.trace->Begin(CallStep::kQueue);
  return execution;
}

void QueryRunner::End(const Execution* execution) {
  absl::MutexLock lock(&mutex_);
  running_.erase(execution);
}

absl::Status QueryRunner::Unasked(const Execution& execution, absl::Status status) const {
  execution.EndQueue(status.code());
  if (options_.observer == nullptr) return status;
  CallEvent event;
  event.origin = OriginOf(execution.target, execution.request.call_id);
  event.code = status.code();
  event.times.queued = Monotonic() - execution.submitted;
  event.redacted = execution.target.MandatesRedaction();
  options_.observer->OnCall(event);
  return status;
}

// False: too many wait.
bool QueryRunner::Submit(const std::shared_ptr<Execution>& execution) {
  WorkerPool::Task task;
  task.who = execution->target.principal.token_id;
  task.run = [this, execution] {
    if (execution->TryBegin()) {
      execution->SetAnswer(options_.service->Run(execution->target, execution->request));
    }
    End(execution.get());
  };
  task.dropped = [this, execution] {
    execution->SetAnswer(execution->TryGiveUp() ? Unasked(*execution, TooManyWait()) : TooManyWait());
    End(execution.get());
  };
  if (options_.pool->Submit(std::move(task))) return true;
  End(execution.get());
  return false;
}

absl::StatusOr<QueryAnswer> QueryRunner::Run(CallTarget target, QueryRequest request,
                                             const std::function<bool()>& client_left, absl::Duration& queued) {
  const std::shared_ptr<Execution> execution = Begin(std::move(target), std::move(request));
  {
    absl::MutexLock lock(&mutex_);
    if (!stopped_) running_.emplace(execution.get(), execution->cancellation);
    if (stopped_) return Unasked(*execution, absl::UnavailableError("the server is stopping"));
  }
  if (!Submit(execution)) return Unasked(*execution, TooManyWait());
  return Await(*execution, client_left, queued);
}

absl::StatusOr<QueryAnswer> QueryRunner::Await(Execution& execution, const std::function<bool()>& client_left,
                                               absl::Duration& queued) {
  while (!execution.WaitForAnswer(kLookEvery)) {
    if (client_left()) {
      const absl::Status left = absl::CancelledError("the client left");
      const bool unasked = execution.TryGiveUp();
      execution.cancellation.Cancel();
      return unasked ? Unasked(execution, left) : left;
    }
    if (Monotonic() - execution.submitted > options_.queue_limit && execution.TryGiveUp()) {
      return Unasked(execution,
                     absl::UnavailableError("the query waited for its turn for too long; try again in a moment"));
    }
  }
  absl::MutexLock lock(&execution.mutex);
  queued = execution.queued;
  if (absl::IsCancelled(execution.answer->status())) return absl::UnavailableError("the server is stopping");
  return *std::move(execution.answer);
}

void QueryRunner::CancelAll() {
  std::vector<CancellationSource> sources;
  {
    absl::MutexLock lock(&mutex_);
    stopped_ = true;
    for (const auto& [execution, source] : running_) sources.push_back(source);
  }
  // Outside the lock: a callback may end an execution, which takes it.
  for (CancellationSource& source : sources) source.Cancel();
}

}  // namespace logquery::shim
