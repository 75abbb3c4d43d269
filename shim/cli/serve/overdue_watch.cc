// Compares each running query's deadline with the clock and with the processor time of the process.
#include "shim/cli/serve/overdue_watch.h"

#include <ctime>
#include <utility>
#include <vector>

#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "logquery/clock.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kEvery = absl::Milliseconds(250);
constexpr absl::Duration kPatience = absl::Seconds(2);
constexpr absl::Duration kWorked = absl::Seconds(1);
constexpr absl::Duration kLongestPatience = absl::Seconds(10);

}  // namespace

OverdueClocks RealOverdueClocks() {
  return {[] { return Clock::Real()->Monotonic(); },
          [] {
            timespec time{};
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
            return absl::DurationFromTimespec(time);
          }};
}

OverdueWatch::OverdueWatch(OverdueClocks clocks, OnOverdue on_overdue)
    : clocks_(std::move(clocks)), on_overdue_(std::move(on_overdue)) {}

OverdueWatch::~OverdueWatch() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

absl::Status OverdueWatch::Start() {
  LOGQUERY_ASSIGN_OR_RETURN(thread_, base::StartThread("the watch over queries' deadlines", [this] { Work(); }));
  return absl::OkStatus();
}

void OverdueWatch::Begin(int query, absl::Duration time_limit) {
  Run run;
  run.began = clocks_.monotonic();
  run.deadline = run.began + time_limit;
  absl::MutexLock lock(&mutex_);
  runs_[query] = run;
}

void OverdueWatch::End(int query) {
  absl::MutexLock lock(&mutex_);
  runs_.erase(query);
}

bool OverdueWatch::IsOverdue(Run& run, absl::Duration now, absl::Duration processor) {
  if (now < run.deadline) return false;
  if (!run.processor_at_deadline) run.processor_at_deadline = processor;
  const bool has_worked = processor - *run.processor_at_deadline >= kWorked;
  return now >= run.deadline + (has_worked ? kPatience : kLongestPatience);
}

void OverdueWatch::Look() {
  std::vector<std::pair<int, absl::Duration>> overdue;
  {
    const absl::Duration now = clocks_.monotonic(), processor = clocks_.processor();
    absl::MutexLock lock(&mutex_);
    for (auto& [query, run] : runs_) {
      if (run.is_overdue || !IsOverdue(run, now, processor)) continue;
      run.is_overdue = true;
      overdue.emplace_back(query, now - run.began);
    }
  }
  for (const auto& [query, ran] : overdue) on_overdue_(query, ran);
}

void OverdueWatch::Work() {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &OverdueWatch::HasWork));
      if (stopping_) return;
    }
    Look();
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(this, &OverdueWatch::IsStopping), kEvery);
    if (stopping_) return;
  }
}

}  // namespace logquery::shim
