// A clock that moves only when a test moves it.
//
//     FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
//     clock.Advance(absl::Minutes(15));
//
// Thread-safe.
#ifndef LOGQUERY_TESTING_FAKE_CLOCK_H_
#define LOGQUERY_TESTING_FAKE_CLOCK_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"

namespace logquery::testing {

class FakeClock : public Clock {
 public:
  // 2026-01-31T08:00:00Z, an arbitrary time.
  FakeClock() : FakeClock(absl::FromUnixSeconds(1'769'846'400)) {}
  explicit FakeClock(absl::Time now) : now_(now) {}

  absl::Time Now() const override;
  // The sum of all Advance calls.
  absl::Duration Monotonic() const override;

  // Advances both times. `step` must not be negative.
  void Advance(absl::Duration step);
  // Sets the time of day, as if someone corrected the machine's clock: the monotonic time does not change.
  void Set(absl::Time now);

  // Blocks until Monotonic() reaches `until` or `cancellation` is cancelled. Returns whether the time was reached.
  bool Await(absl::Duration until, const CancellationToken& cancellation) const;

 private:
  mutable absl::Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
  absl::Duration monotonic_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_FAKE_CLOCK_H_
