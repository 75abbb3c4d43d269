#include "logquery/testing/fake_clock.h"

namespace logquery::testing {

absl::Time FakeClock::Now() const {
  absl::MutexLock lock(&mutex_);
  return now_;
}

absl::Duration FakeClock::Monotonic() const {
  absl::MutexLock lock(&mutex_);
  return monotonic_;
}

void FakeClock::Advance(absl::Duration step) {
  absl::MutexLock lock(&mutex_);
  now_ += step;
  monotonic_ += step;
}

void FakeClock::Set(absl::Time now) {
  absl::MutexLock lock(&mutex_);
  now_ = now;
}

bool FakeClock::Await(absl::Duration until, const CancellationToken& cancellation) const {
  // Taking the mutex is what makes the waiter look again.
  const CancellationToken::Registration wake = cancellation.OnCancel([this] { absl::MutexLock lock(&mutex_); });
  absl::MutexLock lock(&mutex_);
  const auto over = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return monotonic_ >= until || cancellation.IsCancelled(); };
  mutex_.Await(absl::Condition(&over));
  return monotonic_ >= until;
}

}  // namespace logquery::testing
