// One thread sleeps until the earliest deadline, and is woken only when an earlier one is added.
#include "lib/engines/duckdb/backend/deadlines.h"

#include "lib/base/status_macros.h"
#include "logquery/clock.h"

namespace logquery::duckdb {

Deadlines::~Deadlines() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.Signal();
  }
  thread_.Join();
}

absl::StatusOr<Deadlines::Guard> Deadlines::Add(absl::Duration after, std::function<void()> callback) {
  if (after == absl::InfiniteDuration()) return Guard();
  LOGQUERY_RETURN_IF_ERROR(thread_.Ensure());
  absl::MutexLock lock(&mutex_);
  const Guard::Key key(Clock::Real()->Monotonic() + after, next_number_++);
  const auto added = waiting_.emplace(key, std::move(callback)).first;
  // The thread sleeps until what was first; only an earlier one need wake it.
  if (added == waiting_.begin()) changed_.Signal();
  return Guard(this, key);
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
