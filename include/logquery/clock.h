// Where logquery reads the time: one object that is passed in, so that tests move it by hand.
#ifndef LOGQUERY_CLOCK_H_
#define LOGQUERY_CLOCK_H_

#include "absl/time/time.h"

namespace logquery {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // The time of day: what queries see as now.
  virtual absl::Time Now() const = 0;
  // Time since some fixed instant, never going back: what ages and deadlines are measured by.
  virtual absl::Duration Monotonic() const = 0;

  // The machine's clock. Lives as long as the program.
  static const Clock* Real();
};

// Stands at one instant: `--now`, and answers that can be repeated. Its monotonic time is the machine's.
class FixedClock : public Clock {
 public:
  explicit FixedClock(absl::Time now) : now_(now) {}
  absl::Time Now() const override { return now_; }
  absl::Duration Monotonic() const override { return Clock::Real()->Monotonic(); }

 private:
  absl::Time now_;
};

}  // namespace logquery

#endif  // LOGQUERY_CLOCK_H_
