// The list of running queries, and the thread that checks the process's memory while there are any.
//
// Allocations don't name their query. What is known of a query is how much the process has grown since it began. A query
// that began after most of the growth did not cause it, and queries that ran for long before the growth did no harm until
// then. So the suspect is the one that began last of those that have seen at least half of the largest growth. One query
// is ended at a time: if the memory is not freed, the next one is looked for.
#include "logquery/memory_watch.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/lasting_thread.h"
#include "lib/base/resident_memory.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/call/memory_pressure.h"
#include "logquery/clock.h"
#include "logquery/error.h"

namespace logquery {
namespace {

constexpr absl::Duration kEvery = absl::Milliseconds(10);

absl::Status EndedForMemory() {
  ErrorDetails details;
  details.reason = ErrorReason::kResourcesExceeded;
  return WithErrorDetails(absl::ResourceExhaustedError("the query was ended because the server had no memory left, and "
                                                       "most of its memory was taken since this query "
                                                       "began; read fewer rows, or rows of a shorter interval"),
                          details);
}

}  // namespace

class MemoryWatch::Impl {
 public:
  explicit Impl(MemoryWatchOptions options)
      : options_(std::move(options)), pressure_(options_.limit_bytes, options_.patience) {}

  ~Impl() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = true;
    }
    thread_.Join();
  }

  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) {
    LOGQUERY_RETURN_IF_ERROR(thread_.Ensure());
    std::unique_ptr<Pass> inner;
    if (options_.next != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(inner, options_.next->Enter(key, time_limit, cancellation));
    }
    return std::make_unique<Watched>(this, std::move(inner));
  }

  Counters counters() const { return {Resident(), options_.limit_bytes, ended_.load(std::memory_order_relaxed)}; }

 private:
  struct Run {
    absl::Duration since;
    int64_t resident_before = 0;  // bytes; negative: unknown
    CancellationSource stop;
    std::atomic<bool> ended{false};
  };
  // In the order of their beginnings.
  using Runs = std::list<std::shared_ptr<Run>>;

  class Watched : public Pass {
   public:
    Watched(Impl* owner, std::unique_ptr<Pass> inner)
        : owner_(owner), inner_(std::move(inner)), run_(std::make_shared<Run>()), place_(owner->Add(run_)) {
      if (inner_ != nullptr) forward_ = inner_->stop().OnCancel([run = run_.get()] { run->stop.Cancel(); });
    }
    ~Watched() override { owner_->Remove(place_); }

    CancellationToken stop() const override { return run_->stop.token(); }
    absl::Status why_stopped() const override {
      if (run_->ended) return EndedForMemory();
      return inner_ != nullptr ? inner_->why_stopped() : absl::OkStatus();
    }

   private:
    Impl* const owner_;
    const std::unique_ptr<Pass> inner_;
    const std::shared_ptr<Run> run_;
    const Runs::iterator place_;
    CancellationToken::Registration forward_;
  };

  Runs::iterator Add(const std::shared_ptr<Run>& run) {
    run->since = Clock::Real()->Monotonic();
    run->resident_before = Resident();
    absl::MutexLock lock(&mutex_);
    return runs_.insert(runs_.end(), run);
  }

  void Remove(Runs::iterator place) {
    absl::MutexLock lock(&mutex_);
    runs_.erase(place);
  }

  int64_t Resident() const { return options_.resident_bytes ? options_.resident_bytes() : memory_.Read(); }

  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !runs_.empty(); }
  bool IsStopping() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; }

  void Work() {
    while (true) {
      {
        absl::MutexLock lock(&mutex_);
        if (!pressure_.above()) mutex_.Await(absl::Condition(this, &Impl::HasWork));
        if (stopping_) return;
      }
      Look();
      absl::MutexLock lock(&mutex_);
      mutex_.AwaitWithTimeout(absl::Condition(this, &Impl::IsStopping), kEvery);
      if (stopping_) return;
    }
  }

  void Look() {
    const int64_t resident = Resident();
    const std::shared_ptr<Run> suspect = Suspect(resident);
    switch (pressure_.Look(Clock::Real()->Monotonic(), resident, suspect != nullptr)) {
      case endpoint::MemoryPressure::kNothing:
        break;
      case endpoint::MemoryPressure::kEndOne:
        End(*suspect, resident);
        break;
      case endpoint::MemoryPressure::kStuck:
        if (options_.on_stuck) options_.on_stuck();
        break;
    }
  }

  // The run that began last of those that have seen at least half of the largest growth and have not been ended;
  // nullptr: there is none.
  std::shared_ptr<Run> Suspect(int64_t resident) {
    absl::MutexLock lock(&mutex_);
    std::shared_ptr<Run> suspect;
    int64_t largest = 0;
    for (const std::shared_ptr<Run>& run : runs_) {
      if (run->ended) continue;
      const int64_t growth = std::max<int64_t>(resident - run->resident_before, 0);
      largest = std::max(largest, growth);
      if (suspect == nullptr || growth >= largest / 2) suspect = run;
    }
    return suspect;
  }

  void End(Run& run, int64_t resident) {
    run.ended = true;
    ++ended_;
    // Outside of the mutex: it calls what the backend does to stop a query.
    run.stop.Cancel();
    if (!options_.log) return;
    options_.log(absl::StrCat(
        "a query was ended after ",
        absl::FormatDuration(absl::Trunc(Clock::Real()->Monotonic() - run.since, absl::Milliseconds(1))),
        " because the process has ", resident >> 20, " MiB of memory, and may have ", options_.limit_bytes >> 20));
  }

  const MemoryWatchOptions options_;
  const base::ResidentMemory memory_;
  std::atomic<int64_t> ended_{0};
  endpoint::MemoryPressure pressure_;  // the thread's
  mutable absl::Mutex mutex_;
  Runs runs_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  base::LastingThread thread_{"the watch over memory", [this] { Work(); }};  // uses all of the above
};

MemoryWatch::MemoryWatch(MemoryWatchOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

MemoryWatch::~MemoryWatch() = default;

absl::StatusOr<std::unique_ptr<ExecutionGuard::Pass>> MemoryWatch::Enter(const ExecutionKey& key,
                                                                         absl::Duration time_limit,
                                                                         const CancellationToken& cancellation) {
  return impl_->Enter(key, time_limit, cancellation);
}

MemoryWatch::Counters MemoryWatch::counters() const { return impl_->counters(); }

}  // namespace logquery
