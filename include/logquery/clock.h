// The source of time. It is passed in, so that tests can set it.
#ifndef LOGQUERY_CLOCK_H_
#define LOGQUERY_CLOCK_H_

#include "absl/time/time.h"

namespace logquery {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // The time of day, which queries see as now.
  virtual absl::Time Now() const = 0;
  // The time since a fixed instant. It never goes back; ages and deadlines use it.
  virtual absl::Duration Monotonic() const = 0;

  // Returns the machine's clock, which lives as long as the program.
  static const Clock* Real();
};

// A clock that stands still: for `--now`, and for reproducible answers. Its monotonic time is the machine's.
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
