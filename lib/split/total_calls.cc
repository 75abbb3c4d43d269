// One rule for each function.
#include "lib/split/total_calls.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lib/rewrite/functions/functions.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/scalars.h"

namespace logquery::split {
namespace {

using rewrite::ScalarPtr;

// The largest number of quantiles that APPROX_QUANTILES computes.
constexpr int64_t kMaxQuantiles = 10'000;

// Elements of a format that every time has text for.
bool IsTotalFormat(std::string_view format) {
  constexpr std::string_view kElements = "YmdHMSTFDRyjapIuVGBb%";
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (++i == format.size() || kElements.find(format[i]) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

bool IsTotalForConstants(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  if (name == "FORMAT_TIMESTAMP" || name == "FORMAT_DATETIME" || name == "FORMAT_DATE") {
    const Value* const format = rewrite::ConstantArgument(call, 0);
    return call.arguments.size() == 2 && format != nullptr && IsTotalFormat(format->string_value());
  }
  // Only a time at the edges of the years 1 to 9999 raises. An engine with GoogleSQL's zones and weeks does so, too; others are not
  // sent these.
  if ((call.overload->row->flags & rewrite::kMayLeaveYears) != 0) {
    return std::all_of(call.arguments.begin() + 1, call.arguments.end(),
                       [](const ScalarPtr& argument) { return rewrite::IsRowIndependent(*argument); });
  }
  // The times of the years 1 to 9999 have a difference in every part.
  if (name == "TIMESTAMP_DIFF" || name == "DATE_DIFF") return rewrite::ConstantArgument(call, 2) != nullptr;
  if (name == "DIV" || name == "MOD" || name == "$divide") {
    // Overflow is only possible for INT64 divided by -1, and for FLOAT64 divided by a small number.
    const Value* const divisor = rewrite::ConstantArgument(call, 1);
    return divisor != nullptr && divisor->type().is(TypeKind::kInt64) && divisor->int64_value() > 0;
  }
  if (name == "REPLACE") {
    const Value* const from = rewrite::ConstantArgument(call, 1);
    const Value* const to = rewrite::ConstantArgument(call, 2);
    return from != nullptr && to != nullptr && from->type().is(TypeKind::kString) &&
           to->string_value().size() <= from->string_value().size();
  }
  return false;
}

bool IsTotalForConstants(const rewrite::AggregateCall& call) {
  const std::string_view name = call.overload->row->name;
  if (name == "APPROX_COUNT_DISTINCT") return true;
  if (name != "$quantile") return false;
  const Value* const quantiles = rewrite::ConstantArgument(call, 1);
  const Value* const element = rewrite::ConstantArgument(call, 2);
  return quantiles != nullptr && element != nullptr && quantiles->int64_value() >= 1 &&
         quantiles->int64_value() <= kMaxQuantiles && element->int64_value() >= 0 &&
         element->int64_value() <= quantiles->int64_value();
}

}  // namespace logquery::split
