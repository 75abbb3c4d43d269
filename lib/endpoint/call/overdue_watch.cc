// Compares each running query's deadline with the clock and with the processor time of the process.
#include "logquery/overdue_watch.h"

#include <ctime>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/lasting_thread.h"
#include "lib/base/status_macros.h"
#include "logquery/clock.h"

namespace logquery {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(2);
constexpr absl::Duration kWorked = absl::Seconds(1);
constexpr absl::Duration kLongestPatience = absl::Seconds(10);

absl::Duration ProcessorTime() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return absl::DurationFromTimespec(time);
}

OverdueWatchOptions WithClocks(OverdueWatchOptions options) {
  if (!options.monotonic) options.monotonic = [] { return Clock::Real()->Monotonic(); };
  if (!options.processor) options.processor = ProcessorTime;
  return options;
}

}  // namespace

class OverdueWatch::Impl {
 public:
  explicit Impl(OverdueWatchOptions options) : options_(WithClocks(std::move(options))) {
    if (options_.look_every > absl::ZeroDuration()) {
      thread_.emplace("the watch over queries' deadlines", [this] { Work(); });
    }
  }

  ~Impl() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = true;
    }
    if (thread_.has_value()) thread_->Join();
  }

  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) {
    if (thread_.has_value()) LOGQUERY_RETURN_IF_ERROR(thread_->Ensure());
    std::unique_ptr<Pass> inner;
    if (options_.next != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(inner, options_.next->Enter(key, time_limit, cancellation));
    }
    const absl::Duration now = options_.monotonic();
    return std::make_unique<Watched>(this, std::make_shared<Run>(key, std::move(inner), now, now + time_limit));
  }

  void Look() {
    std::vector<std::shared_ptr<Run>> overdue;
    const absl::Duration now = options_.monotonic(), processor = options_.processor();
    {
      absl::MutexLock lock(&mutex_);
      for (const std::shared_ptr<Run>& run : runs_) {
        if (run->is_overdue || !IsOverdue(*run, now, processor)) continue;
        run->is_overdue = true;
        ++counters_.running;
        ++counters_.total;
        overdue.push_back(run);
      }
    }
    for (const std::shared_ptr<Run>& run : overdue) {
      if (run->inner != nullptr) run->inner->OnOverdue(now - run->began);
      if (options_.on_overdue) options_.on_overdue(run->key, now - run->began);
    }
  }

  Counters counters() const {
    absl::MutexLock lock(&mutex_);
    return counters_;
  }

 private:
  struct Run {
    Run(ExecutionKey query, std::unique_ptr<Pass> pass, absl::Duration start, absl::Duration end)
        : key(std::move(query)), inner(std::move(pass)), began(start), deadline(end) {}
    const ExecutionKey key;
    const std::unique_ptr<Pass> inner;  // of the next guard
    const absl::Duration began;
    const absl::Duration deadline;
    std::optional<absl::Duration> processor_at_deadline;
    bool is_overdue = false;
  };
  using Runs = std::list<std::shared_ptr<Run>>;

  class Watched : public Pass {
   public:
    Watched(Impl* owner, std::shared_ptr<Run> run)
        : owner_(owner), inner_(run->inner.get()), place_(owner->Add(std::move(run))) {}
    ~Watched() override { owner_->Remove(place_); }

    CancellationToken stop() const override { return inner_ != nullptr ? inner_->stop() : CancellationToken(); }
    absl::Status why_stopped() const override { return inner_ != nullptr ? inner_->why_stopped() : absl::OkStatus(); }

   private:
    Impl* const owner_;
    Pass* const inner_;
    const Runs::iterator place_;
  };

  Runs::iterator Add(std::shared_ptr<Run> run) {
    absl::MutexLock lock(&mutex_);
    return runs_.insert(runs_.end(), std::move(run));
  }

  void Remove(Runs::iterator place) {
    // Outlives the lock: its pass does what the next guard wants done at the end of a run.
    const std::shared_ptr<Run> run = *place;
    absl::MutexLock lock(&mutex_);
    if (run->is_overdue) --counters_.running;
    runs_.erase(place);
  }

  static bool IsOverdue(Run& run, absl::Duration now, absl::Duration processor) {
    if (now < run.deadline) return false;
    if (!run.processor_at_deadline) run.processor_at_deadline = processor;
    const bool has_worked = processor - *run.processor_at_deadline >= kWorked;
    return now >= run.deadline + (has_worked ? kPatience : kLongestPatience);
  }

  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !runs_.empty(); }
  bool IsStopping() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; }

  void Work() {
    while (true) {
      {
        absl::MutexLock lock(&mutex_);
        mutex_.Await(absl::Condition(this, &Impl::HasWork));
        if (stopping_) return;
      }
      Look();
      absl::MutexLock lock(&mutex_);
      mutex_.AwaitWithTimeout(absl::Condition(this, &Impl::IsStopping), options_.look_every);
      if (stopping_) return;
    }
  }

  const OverdueWatchOptions options_;
  mutable absl::Mutex mutex_;
  Runs runs_ ABSL_GUARDED_BY(mutex_);
  Counters counters_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<base::LastingThread> thread_;  // uses all of the above; nullopt: Look is called by hand
};

OverdueWatch::OverdueWatch(OverdueWatchOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

OverdueWatch::~OverdueWatch() = default;

absl::StatusOr<std::unique_ptr<ExecutionGuard::Pass>> OverdueWatch::Enter(const ExecutionKey& key,
                                                                          absl::Duration time_limit,
                                                                          const CancellationToken& cancellation) {
  return impl_->Enter(key, time_limit, cancellation);
}

void OverdueWatch::Look() { impl_->Look(); }

OverdueWatch::Counters OverdueWatch::counters() const { return impl_->counters(); }

}  // namespace logquery
