// CallLimits in definitions and token files:
//
//     "limits": {"max_result_bytes": 1000000, "time_limit_ms": 5000, "max_concurrent": 4, "calls_per_minute": 60}
//
// Each of them may be absent, and the whole too.
#ifndef LOGQUERY_LIB_ENDPOINT_LIMITS_JSON_H_
#define LOGQUERY_LIB_ENDPOINT_LIMITS_JSON_H_

#include "lib/base/json_fields.h"
#include "logquery/call_limits.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::endpoint {

inline constexpr base::JsonFields::Range kLimitRange = {1, 1'000'000'000'000};

// The field `limits` of an object; what is wrong goes where the problems of `fields` go.
CallLimits ReadLimits(base::JsonFields& fields);
// Null when there is no limit.
nlohmann::ordered_json PrintLimits(const CallLimits& limits);
// InvalidArgument: a limit that is not positive; it names the limit.
absl::Status CheckLimits(const CallLimits& limits);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_LIMITS_JSON_H_
