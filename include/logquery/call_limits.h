// How much calls may take: of one endpoint, by its definition; of one token, by its record. Where both say something the
// tighter holds, and the server's own limits (QueryServiceOptions) hold for all.
//
//     CallLimits limits;
//     limits.time_limit = absl::Seconds(5);
//     limits.calls_per_minute = 60;      // the 61st within a minute is a ResourceExhausted that says when to come again
#ifndef LOGQUERY_CALL_LIMITS_H_
#define LOGQUERY_CALL_LIMITS_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace logquery {

// Absent: no limit.
struct CallLimits {
  std::optional<int64_t> max_result_bytes;   // of one answer's body
  std::optional<absl::Duration> time_limit;  // of one query
  std::optional<int64_t> max_concurrent;     // calls at one time, those that wait for a shared answer included
  std::optional<int64_t> calls_per_minute;   // on average; as many at once

  bool operator==(const CallLimits&) const = default;
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_LIMITS_H_
