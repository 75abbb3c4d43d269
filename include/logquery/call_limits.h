// Limits on calls. An endpoint's definition sets them for the endpoint, a token's record for the token; the tighter one
// applies. The server's own limits (QueryServiceOptions) apply to every call.
//
//     CallLimits limits;
//     limits.time_limit = absl::Seconds(5);
// the 61st call within a minute gets ResourceExhausted with a retry time
#ifndef LOGQUERY_CALL_LIMITS_H_
#define LOGQUERY_CALL_LIMITS_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace logquery {

// An absent field means no limit.
struct CallLimits {
  std::optional<int64_t> max_result_bytes;   // of one answer's body
  std::optional<absl::Duration> time_limit;  // of one query
  std::optional<int64_t> max_concurrent;     // concurrent calls, including those that wait for a shared answer
  std::optional<int64_t> calls_per_minute;   // on average; a burst may have as many at once

  bool operator==(const CallLimits&) const = default;
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_LIMITS_H_
