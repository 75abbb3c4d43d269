// The machine's clock, which is never destroyed, because threads may read the time while the program ends.
#include "logquery/clock.h"

#include <chrono>

#include "absl/time/clock.h"

namespace logquery {
namespace {

class RealClock : public Clock {
 public:
  absl::Time Now() const override { return absl::Now(); }
  absl::Duration Monotonic() const override {
    return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
  }
};

}  // namespace

const Clock* Clock::Real() {
  // Never destroyed: threads may read the time while the program ends.
  static const Clock* const clock = new RealClock;
  return clock;
}

}  // namespace logquery
