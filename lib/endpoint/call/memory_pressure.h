// Decides when to end queries because of the process's memory. It is a pure function of times and byte counts, so tests
// need neither a clock nor real memory.
//
//     switch (pressure.Look(clock->Monotonic(), resident, running)) { case MemoryPressure::kEndOne: … }
//
// Used by one thread.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_MEMORY_PRESSURE_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_MEMORY_PRESSURE_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace logquery::endpoint {

class MemoryPressure {
 public:
  enum Action { kNothing, kEndOne, kStuck };

  MemoryPressure(int64_t limit_bytes, absl::Duration patience) : limit_(limit_bytes), patience_(patience) {}

  // `running`: there is a query that has not been ended yet. `now` is a monotonic time.
  Action Look(absl::Duration now, int64_t resident_bytes, bool running);
  // Whether the memory must be checked again even if no query runs.
  bool above() const { return first_end_.has_value(); }

 private:
  // An ended query stops after the engine's current chunk of work, and then frees its memory. If the process is still
  // above the limit after kGrace, or has grown by kGrowth in the meantime, another query must be ended.
  static constexpr absl::Duration kGrace = absl::Milliseconds(100);
  static constexpr int64_t kGrowth = 32 << 20;

  const int64_t limit_;
  const absl::Duration patience_;
  std::optional<absl::Duration> first_end_;  // since the memory rose above the limit; reset by kStuck
  absl::Duration last_end_;
  int64_t resident_at_last_end_ = 0;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_MEMORY_PRESSURE_H_
