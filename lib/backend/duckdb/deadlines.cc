// One thread sleeps until the earliest deadline, and is woken only when an earlier one is added.
#include "lib/backend/duckdb/deadlines.h"

#include "lib/base/start_thread.h"
#include "logquery/clock.h"

namespace logquery::duckdb {

// At once, as later the threads of callers may have taken what the system allows. If there is none now, the first deadline tries
// again and reports it.
Deadlines::Deadlines() {
  absl::MutexLock lock(&mutex_);
  EnsureThread().IgnoreError();
}

Deadlines::~Deadlines() {
  std::thread thread;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.Signal();
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
}

absl::StatusOr<Deadlines::Guard> Deadlines::Add(absl::Duration after, std::function<void()> callback) {
  if (after == absl::InfiniteDuration()) return Guard();
  absl::MutexLock lock(&mutex_);
  if (const absl::Status started = EnsureThread(); !started.ok()) return started;
  const Guard::Key key(Clock::Real()->Monotonic() + after, next_number_++);
  const auto added = waiting_.emplace(key, std::move(callback)).first;
  // The thread sleeps until what was first; only an earlier one need wake it.
  if (added == waiting_.begin()) changed_.Signal();
  return Guard(this, key);
}

absl::Status Deadlines::EnsureThread() {
  if (thread_.joinable()) return absl::OkStatus();
  absl::StatusOr<std::thread> thread = base::StartThread("the deadlines of queries", [this] { Loop(); });
  if (!thread.ok()) return absl::UnavailableError(thread.status().message());
  thread_ = *std::move(thread);
  return absl::OkStatus();
}

void Deadlines::Remove(const Guard::Key& key) {
  absl::MutexLock lock(&mutex_);
  waiting_.erase(key);
}

void Deadlines::Loop() {
  absl::MutexLock lock(&mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      changed_.Wait(&mutex_);
      continue;
    }
    const auto first = waiting_.begin();
    const absl::Duration left = first->first.first - Clock::Real()->Monotonic();
    if (left > absl::ZeroDuration()) {
      changed_.WaitWithTimeout(&mutex_, left);
      continue;
    }
    first->second();
    waiting_.erase(first);
  }
}

}  // namespace logquery::duckdb
