// The JSON form of CallLimits in definitions and token files:
//
//     "limits": {"max_result_bytes": 1000000, "time_limit_ms": 5000, "max_concurrent": 4, "calls_per_minute": 60}
//
// Each field is optional, and so is the whole object.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LIMITS_JSON_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LIMITS_JSON_H_

#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "logquery/call_limits.h"

namespace logquery::endpoint {

inline constexpr base::JsonFields::Range kLimitRange = {1, 1'000'000'000'000};

// Reads the field `limits` of an object. Problems are added to those of `fields`.
CallLimits ReadLimits(base::JsonFields& fields);
// Returns null if there is no limit.
base::Json PrintLimits(const CallLimits& limits);
// InvalidArgument: a limit is not positive; the message names it.
absl::Status CheckLimits(const CallLimits& limits);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LIMITS_JSON_H_
