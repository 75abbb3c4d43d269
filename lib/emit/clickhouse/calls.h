// Calls that ClickHouse computes in a form that no template expresses: which of them it is given, and their text.
#ifndef LOGQUERY_LIB_EMIT_CLICKHOUSE_CALLS_H_
#define LOGQUERY_LIB_EMIT_CLICKHOUSE_CALLS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

struct ClickHouseCall {
  std::string_view spelling;  // as in spellings.cc: "@extract"
  // The reason why it is not given a call whose arguments have types that it compares; nullptr: it is given all.
  std::optional<std::string> (*why_not)(const rewrite::FunctionCall& call);
  // The text of a call that it is given. `args` are the arguments' texts.
  std::string (*text)(const rewrite::FunctionCall& call, const std::vector<std::string>& args);
};

// Returns nullptr if the spelling is a template.
const ClickHouseCall* FindClickHouseCall(std::string_view spelling);

// The calls on times, and the patterns; all others are in calls.cc.
absl::Span<const ClickHouseCall> ClickHouseTimeCalls();
absl::Span<const ClickHouseCall> ClickHousePatternCalls();

// Returns a TIMESTAMP or DATETIME as a DATE.
std::string ClickHouseDate(const std::string& time);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_CLICKHOUSE_CALLS_H_
