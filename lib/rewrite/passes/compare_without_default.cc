// Compares a value itself in place of IFNULL(value, default) in conditions that count only where they are TRUE, if the comparison
// is not TRUE for the default: `IFNULL(x, 0) >= 400` is `x >= 400`. A value within bounds of its type is then compared once:
//
//     IF(x BETWEEN -2147483648 AND 2147483647, x, NULL) >= 400
//     x BETWEEN 400 AND 2147483647
//
// An engine skips rows by such comparisons, and evaluates one in place of four.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

struct Range {
  int64_t low = INT64_MIN, high = INT64_MAX;
};

bool IsComparison(const Scalar& scalar) {
  return IsCallOf(scalar, "$equal") || IsCallOf(scalar, "$less") || IsCallOf(scalar, "$less_or_equal") ||
         IsCallOf(scalar, "$greater") || IsCallOf(scalar, "$greater_or_equal");
}

// The numbers for which the comparison with `than` is TRUE; nullopt: there are none.
std::optional<Range> RangeOf(const Scalar& comparison, int64_t than) {
  const bool less = IsCallOf(comparison, "$less"), greater = IsCallOf(comparison, "$greater");
  if ((less && than == INT64_MIN) || (greater && than == INT64_MAX)) return std::nullopt;
  if (IsCallOf(comparison, "$equal")) return Range{than, than};
  if (less || IsCallOf(comparison, "$less_or_equal")) return Range{INT64_MIN, less ? than - 1 : than};
  return Range{greater ? than + 1 : than, INT64_MAX};
}

// The parts of IF(condition, result, otherwise), also as a CASE.
struct Choice {
  const Scalar* condition = nullptr;  // nullptr: it is something else
  const Scalar* result = nullptr;
  const Scalar* otherwise = nullptr;
};

Choice ChoiceOf(const Scalar& scalar) {
  if (IsCallOf(scalar, "IF")) {
    const std::vector<ScalarPtr>& parts = As<FunctionCall>(scalar).arguments;
    return {parts[0].get(), parts[1].get(), parts[2].get()};
  }
  const Case* const branches = If<Case>(&scalar);
  if (branches == nullptr || branches->operand != nullptr || branches->whens.size() != 1) return {};
  return {branches->whens[0].condition.get(), branches->whens[0].result.get(), branches->otherwise.get()};
}

// IF(x BETWEEN low AND high, x, NULL) of INT64: x; nullptr: it is something else.
const Scalar* ValueWithin(const Scalar& scalar, Range& range) {
  const Choice choice = ChoiceOf(scalar);
  if (choice.condition == nullptr || !IsCallOf(*choice.condition, "$between")) return nullptr;
  const Constant* const otherwise = If<Constant>(choice.otherwise);
  if (otherwise == nullptr || !otherwise->value.is_null()) return nullptr;
  const FunctionCall& between = As<FunctionCall>(*choice.condition);
  const Value* const low = ConstantArgument(between, 1);
  const Value* const high = ConstantArgument(between, 2);
  const Scalar& value = *between.arguments[0];
  const bool integers = low != nullptr && high != nullptr && value.type.is(TypeKind::kInt64) &&
                        low->type().is(TypeKind::kInt64) && high->type().is(TypeKind::kInt64);
  if (!integers || !IsPath(value) || !Equal(value, *choice.result)) return nullptr;
  range = {low->int64_value(), high->int64_value()};
  return &value;
}

// The comparison of a value that is NULL outside of bounds is one with narrower bounds.
void CompareWithin(ScalarPtr& condition) {
  FunctionCall& comparison = As<FunctionCall>(*condition);
  const Value* const than = ConstantArgument(comparison, 1);
  Range bounds;
  const Scalar* const value = ValueWithin(*comparison.arguments[0], bounds);
  if (value == nullptr || than == nullptr || !than->type().is(TypeKind::kInt64)) return;
  const std::optional<Range> range = RangeOf(*condition, than->int64_value());
  const int64_t low = range ? std::max(range->low, bounds.low) : 1,
                high = range ? std::min(range->high, bounds.high) : 0;
  if (low > high) {
    condition = MakeBool(false);
    return;
  }
  std::vector<ScalarPtr> operands;
  operands.push_back(Clone(*value));
  operands.push_back(std::make_unique<Constant>(Value::Int64(low)));
  const bool one = low == high;
  if (!one) operands.push_back(std::make_unique<Constant>(Value::Int64(high)));
  condition = MakeTypedCall(one ? "$equal" : "$between", Type::Bool(), std::move(operands));
}

// `condition` counts only where it is TRUE.
void Compare(ScalarPtr& condition) {
  if (IsCallOf(*condition, "$and") || IsCallOf(*condition, "$or")) {
    for (ScalarPtr& part : As<FunctionCall>(*condition).arguments) Compare(part);
    return;
  }
  if (!IsComparison(*condition) || As<FunctionCall>(*condition).safe) return;
  FunctionCall& comparison = As<FunctionCall>(*condition);
  ScalarPtr& filled = comparison.arguments[0];
  if (!IsCallOf(*filled, "IFNULL") && !IsCallOf(*filled, "COALESCE")) return;
  FunctionCall& call = As<FunctionCall>(*filled);
  if (call.arguments.size() != 2 || call.safe || ConstantArgument(call, 1) == nullptr ||
      ConstantArgument(comparison, 1) == nullptr || call.arguments[0]->type != filled->type) {
    return;
  }
  ScalarPtr of_default = Clone(*condition);
  As<FunctionCall>(*of_default).arguments[0] = Clone(*call.arguments[1]);
  if (!CanEvaluate(*of_default)) return;
  const absl::StatusOr<Value> outcome = Evaluate(*of_default, {}, nullptr);
  if (!outcome.ok() || outcome->is_null() || outcome->bool_value()) return;
  ScalarPtr value = std::move(call.arguments[0]);
  filled = std::move(value);
  CompareWithin(condition);
}

}  // namespace

absl::Status CompareWithoutDefault(const PassContext&, QueryPlan& query) {
  VisitPlans(*query.root, [](Plan& plan) {
    if (Filter* filter = If<Filter>(&plan)) Compare(filter->condition);
    Aggregate* aggregate = If<Aggregate>(&plan);
    if (aggregate == nullptr) return;
    for (Aggregate::Call& each : aggregate->calls) {
      AggregateCall& call = each.call;
      if (call.filter != nullptr) Compare(call.filter);
      const bool counts = std::string_view(call.overload->row->name) == "COUNTIF";
      if (counts && !call.distinct && call.arguments.size() == 1) Compare(call.arguments[0]);
    }
  });
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
