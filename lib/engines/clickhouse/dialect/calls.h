// The calls that ClickHouse computes in a form that no template expresses.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CALLS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CALLS_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "lib/emit/special_calls.h"

namespace logquery::emit {

// Returns nullptr if the spelling is a template.
const SpecialCall* FindClickHouseCall(std::string_view spelling);

// The calls on times, and the patterns; all others are in calls.cc.
absl::Span<const SpecialCall> ClickHouseTimeCalls();
absl::Span<const SpecialCall> ClickHousePatternCalls();

// Returns a TIMESTAMP or DATETIME as a DATE.
std::string ClickHouseDate(const std::string& time);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CALLS_H_
