// The calls that PostgreSQL computes in a form that no template expresses.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_CALLS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_CALLS_H_

#include <string_view>

#include "absl/types/span.h"
#include "lib/emit/special_calls.h"

namespace logquery::emit {

// Returns nullptr if the spelling is a template.
const SpecialCall* FindPostgresCall(std::string_view spelling);

// The calls on times, and the patterns; all others are in calls.cc.
absl::Span<const SpecialCall> PostgresTimeCalls();
absl::Span<const SpecialCall> PostgresPatternCalls();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_CALLS_H_
