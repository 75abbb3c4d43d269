// A call's state is shared by the thread that runs it, the watch that ends its wait, and the caller's cancellation: each may be
// the last to need it, and the first of them decides what becomes of the call.
#include "logquery/serving/query_queue.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "lib/base/start_thread.h"
#include "lib/base/strings.h"
#include "lib/base/worker_pool.h"
#include "logquery/call_trace.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"

namespace logquery {
namespace {

absl::Duration Monotonic() { return Clock::Real()->Monotonic(); }

absl::Status TooManyWait() { return absl::UnavailableError("too many queries wait already; try again in a moment"); }
absl::Status WaitedTooLong() {
  return absl::UnavailableError("the query waited for its turn for too long; try again in a moment");
}
absl::Status Stopping() { return absl::UnavailableError("the server is stopping"); }

// One call, from Submit to `done`.
class QueuedCall {
 public:
  // `service` and `observer` are borrowed.
  QueuedCall(QueryService* service, CallTarget target, QueryRequest request, QueryQueue::Done done,
             ServiceObserver* observer)
      : service_(service),
        target_(std::move(target)),
        request_(std::move(request)),
        callers_(std::exchange(request_.cancellation, cancellation_.token())),
        done_(std::move(done)),
        observer_(observer),
        submitted_(Monotonic()) {
    if (request_.trace != nullptr) queue_step_ = request_.trace->Begin(CallStep::kQueue);
  }

  const std::string& caller() const { return target_.principal.token_id; }
  absl::Duration submitted() const { return submitted_; }
  bool IsWaiting() const {
    absl::MutexLock lock(&mutex_);
    return state_ == State::kWaiting;
  }

  // From now on the call ends when its caller cancels it.
  static void FollowCaller(const std::shared_ptr<QueuedCall>& call) {
    CancellationToken::Registration registration = call->callers_.OnCancel([weak = std::weak_ptr<QueuedCall>(call)] {
      const std::shared_ptr<QueuedCall> alive = weak.lock();
      if (alive != nullptr) alive->Cancel(absl::CancelledError("the caller cancelled the query"));
    });
    absl::MutexLock lock(&call->mutex_);
    if (call->state_ != State::kEnded) call->registration_ = std::move(registration);
  }

  // Runs the query, unless the call was refused before.
  void Run() {
    if (!TakeTurn()) return;
    request_.queued = Monotonic() - submitted_;
    EndQueueStep(absl::StatusCode::kOk);
    absl::StatusOr<QueryAnswer> answer = service_->Run(target_, request_);
    if (absl::IsCancelled(answer.status())) {
      absl::MutexLock lock(&mutex_);
      if (!cancelled_with_.ok()) answer = cancelled_with_;
    }
    End({std::move(answer), request_.queued});
  }

  // Ends the call with `status` if it waits for a thread.
  bool Refuse(const absl::Status& status) {
    if (!TakeTurn()) return false;
    const absl::Duration queued = Monotonic() - submitted_;
    EndQueueStep(status.code());
    if (observer_ != nullptr) {
      CallEvent event;
      event.origin = OriginOf(target_, request_.call_id);
      event.code = status.code();
      event.times.queued = queued;
      event.redacted = target_.MandatesRedaction();
      observer_->OnCall(event);
    }
    End({status, queued});
    return true;
  }

  // Refuses the call, or cancels its query, which then ends with `status`.
  void Cancel(const absl::Status& status) {
    if (Refuse(status)) return;
    {
      absl::MutexLock lock(&mutex_);
      cancelled_with_ = status;
    }
    cancellation_.Cancel();
  }

 private:
  enum class State { kWaiting, kTaken, kEnded };

  // True once: the calling thread decides what becomes of the call.
  bool TakeTurn() {
    absl::MutexLock lock(&mutex_);
    if (state_ != State::kWaiting) return false;
    state_ = State::kTaken;
    return true;
  }

  void EndQueueStep(absl::StatusCode code) const {
    if (request_.trace != nullptr) request_.trace->End(queue_step_, {.code = code});
  }

  void End(QueuedAnswer answer) {
    std::optional<CancellationToken::Registration> registration;
    {
      absl::MutexLock lock(&mutex_);
      state_ = State::kEnded;
      registration.swap(registration_);
    }
    registration.reset();  // without the lock, as it waits for a callback that is under way
    std::exchange(done_, nullptr)(std::move(answer));
  }

  QueryService* const service_;
  const CallTarget target_;
  CancellationSource cancellation_;
  QueryRequest request_;
  const CancellationToken callers_;
  QueryQueue::Done done_;
  ServiceObserver* const observer_;
  const absl::Duration submitted_;
  int queue_step_ = 0;  // of the request's trace

  mutable absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kWaiting;
  absl::Status cancelled_with_ ABSL_GUARDED_BY(mutex_);
  std::optional<CancellationToken::Registration> registration_ ABSL_GUARDED_BY(mutex_);
};

class QueryQueueImpl : public QueryQueue {
 public:
  explicit QueryQueueImpl(const QueryQueueOptions& options)
      : options_(options), pool_(options.threads, options.max_waiting) {}
  ~QueryQueueImpl() override { Stop(); }

  absl::Status Start(int threads) override { return pool_.Start(threads); }

  void Submit(CallTarget target, QueryRequest request, Done done) override {
    Submit(*options_.service, std::move(target), std::move(request), std::move(done));
  }

  void Submit(QueryService& service, CallTarget target, QueryRequest request, Done done) override {
    if (std::optional<QueryAnswer> cached = FindCached(service, target, request)) {
      return done({*std::move(cached), absl::ZeroDuration()});
    }
    std::shared_ptr<QueuedCall> call;
    bool is_stopped = false;
    {
      absl::MutexLock lock(&mutex_);
      const uint64_t id = next_id_++;
      call = std::make_shared<QueuedCall>(
          &service, std::move(target), std::move(request),
          [this, id, done = std::move(done)](QueuedAnswer answer) {
            done(std::move(answer));
            Forget(id);
          },
          options_.observer);
      calls_.emplace(id, call);
      is_stopped = is_stopped_;
      // Without a watch, waits end when their turn comes.
      if (!is_stopped && !watch_.joinable()) StartWatch();
    }
    if (is_stopped) {
      call->Refuse(Stopping());
      return;
    }
    base::WorkerPool::Task task;
    task.who = call->caller();
    task.run = [this, call] {
      if (HasWaitedTooLong(*call)) call->Refuse(WaitedTooLong());
      call->Run();
    };
    task.dropped = [call] { call->Refuse(TooManyWait()); };
    if (!pool_.Submit(std::move(task))) {
      call->Refuse(TooManyWait());
      return;
    }
    QueuedCall::FollowCaller(call);
  }

  QueuedAnswer Run(CallTarget target, QueryRequest request) override {
    absl::Notification ended;
    std::optional<QueuedAnswer> answer;
    Submit(std::move(target), std::move(request), [&](QueuedAnswer made) {
      answer = std::move(made);
      ended.Notify();
    });
    ended.WaitForNotification();
    return *std::move(answer);
  }

  void CancelAll() override {
    {
      absl::MutexLock lock(&mutex_);
      is_stopped_ = true;
    }
    // The calls are cancelled without the lock: a call that ends takes it.
    for (const std::shared_ptr<QueuedCall>& call : Calls()) call->Cancel(Stopping());
  }

  void Stop() override {
    CancelAll();
    pool_.Shutdown();
    std::thread watch;
    {
      absl::MutexLock lock(&mutex_);
      const auto all_ended = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return calls_.empty(); };
      mutex_.Await(absl::Condition(&all_ended));
      watch.swap(watch_);
    }
    if (watch.joinable()) watch.join();
  }

  Use use() const override {
    const base::WorkerPool::Use use = pool_.use();
    return {use.running, use.waiting, use.threads, use.max_threads, use.max_waiting};
  }
  bool IsFull() const override { return pool_.IsFull(); }

 private:
  // A hit costs less than handing it to another thread.
  std::optional<QueryAnswer> FindCached(QueryService& service, const CallTarget& target, QueryRequest& request) const {
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopped_) return std::nullopt;
    }
    request.queued = absl::ZeroDuration();
    return service.FindCached(target, request);
  }

  bool HasWaitedTooLong(const QueuedCall& call) const { return Monotonic() - call.submitted() > options_.max_wait; }

  void Forget(uint64_t id) {
    absl::MutexLock lock(&mutex_);
    calls_.erase(id);
  }

  // The calls that have not ended, in the order in which they came.
  std::vector<std::shared_ptr<QueuedCall>> Calls() const {
    absl::MutexLock lock(&mutex_);
    std::vector<std::shared_ptr<QueuedCall>> calls;
    for (const auto& [id, call] : calls_) calls.push_back(call);
    return calls;
  }

  void StartWatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    absl::StatusOr<std::thread> watch = base::StartThread([this] { Watch(); });
    if (watch.ok()) watch_ = *std::move(watch);
  }

  // Refuses calls that wait for too long. A call that comes while the watch sleeps may wait for longer than it sleeps.
  void Watch() {
    absl::Duration sleep = options_.max_wait;
    while (!AwaitStop(sleep)) {
      sleep = options_.max_wait;
      for (const std::shared_ptr<QueuedCall>& call : Calls()) {
        if (!call->IsWaiting()) continue;
        const absl::Duration left = call->submitted() + options_.max_wait - Monotonic();
        if (left > absl::ZeroDuration()) {
          sleep = std::min(sleep, left);
        } else {
          call->Refuse(WaitedTooLong());
        }
      }
    }
  }

  bool AwaitStop(absl::Duration at_most) const {
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(absl::Condition(&is_stopped_), at_most);
  }

  const QueryQueueOptions options_;
  base::WorkerPool pool_;
  mutable absl::Mutex mutex_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t next_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, std::shared_ptr<QueuedCall>> calls_ ABSL_GUARDED_BY(mutex_);
  std::thread watch_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::StatusOr<std::unique_ptr<QueryQueue>> QueryQueue::Create(const QueryQueueOptions& options) {
  if (options.service == nullptr) return absl::InvalidArgumentError("a query queue needs a service");
  if (options.threads < 1) {
    return absl::InvalidArgumentError(base::StrCat("threads is ", options.threads, "; a query queue needs 1 or more"));
  }
  if (options.max_waiting < 0) {
    return absl::InvalidArgumentError(base::StrCat("max_waiting is ", options.max_waiting, "; it can't be negative"));
  }
  if (options.max_wait <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        base::StrCat("max_wait is ", absl::FormatDuration(options.max_wait), "; a query may wait for some time"));
  }
  return std::make_unique<QueryQueueImpl>(options);
}

}  // namespace logquery
