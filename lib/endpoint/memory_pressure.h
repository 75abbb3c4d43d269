// Decides what is to be done about a process's memory, given what it has at each moment: a function of times and numbers
// alone, so that tests need neither.
//
//     switch (pressure.Look(clock->Monotonic(), resident)) { case MemoryPressure::kEndOne: … }
//
// Belongs to one thread.
#ifndef LOGQUERY_LIB_ENDPOINT_MEMORY_PRESSURE_H_
#define LOGQUERY_LIB_ENDPOINT_MEMORY_PRESSURE_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace logquery::endpoint {

class MemoryPressure {
 public:
  enum Action { kNothing, kEndOne, kStuck };

  MemoryPressure(int64_t limit_bytes, absl::Duration patience) : limit_(limit_bytes), patience_(patience) {}

  // `running`: whether there is a query left that has not been ended. Times are of a clock that never goes back.
  Action Look(absl::Duration now, int64_t resident_bytes, bool running);
  // Whether it has to be looked at again although nothing runs.
  bool above() const { return first_end_.has_value(); }

 private:
  // A query that was ended is gone after a chunk of the engine's work, and its memory with it. What is still above the limit
  // then, or grows on meanwhile by this much, is another's.
  static constexpr absl::Duration kGrace = absl::Milliseconds(100);
  static constexpr int64_t kGrowth = 32 << 20;

  const int64_t limit_;
  const absl::Duration patience_;
  std::optional<absl::Duration> first_end_;  // in this stretch above the limit; with kStuck it begins again
  absl::Duration last_end_;
  int64_t resident_at_last_end_ = 0;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_MEMORY_PRESSURE_H_
