// Takes the operand of a CASE apart into conditions. A large operand is compared once, in an expression that gives the
// number of the first WHEN that it equals:
//
//     CASE x WHEN a THEN r WHEN b THEN s END
//     CASE number WHEN 0 THEN r WHEN 1 THEN s END
//
// where number is CASE WHEN v = a THEN 0 WHEN v = b THEN 1 END of the one value v = x (EvaluateOnce).
#include "lib/emit/case_equality.h"

#include <memory>
#include <utility>
#include <vector>

#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Case;
using rewrite::ColumnRef;
using rewrite::Constant;
using rewrite::If;
using rewrite::PlanColumn;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;

namespace {

ScalarPtr Equals(ScalarPtr operand, ScalarPtr value) {
  const bool of_structs = operand->type.is_struct();
  std::vector<ScalarPtr> operands;
  operands.push_back(std::move(operand));
  operands.push_back(std::move(value));
  if (of_structs) {
    const rewrite::Overload* of_any_type = &rewrite::FindFunction("$equal")->overloads.back();
    return std::make_unique<rewrite::FunctionCall>(of_any_type, Type::Bool(), std::move(operands));
  }
  return rewrite::MakeTypedCall("$equal", Type::Bool(), std::move(operands));
}

ScalarPtr Number(size_t i) { return std::make_unique<Constant>(Value::Int64(static_cast<int64_t>(i))); }

void CompareInEachWhen(Case& branches) {
  const ScalarPtr operand = std::move(branches.operand);
  for (Case::When& when : branches.whens) {
    when.condition = Equals(rewrite::Clone(*operand), std::move(when.condition));
  }
}

void CompareOnce(Case& branches, QueryPlan& query) {
  const PlanColumn operand = query.NewColumn("operand", branches.operand->type);
  auto number = std::make_unique<Case>(Type::Int64());
  number->otherwise = std::make_unique<Constant>(Value::Null(Type::Int64()));
  for (size_t i = 0; i < branches.whens.size(); ++i) {
    ScalarPtr& condition = branches.whens[i].condition;
    number->whens.push_back({Equals(std::make_unique<ColumnRef>(operand), std::move(condition)), Number(i)});
    condition = Number(i);
  }
  branches.operand = rewrite::EvaluateOnce(operand, std::move(branches.operand), std::move(number),
                                           query.NewColumn("number", Type::Int64()));
}

}  // namespace

absl::Status CompareCases(QueryPlan& query, bool (*differs)(const Type& operand)) {
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const branches = If<Case>(scalar.get());
    if (branches == nullptr || branches->operand == nullptr) return absl::OkStatus();
    // With a single WHEN the operand is written once.
    const bool is_once = branches->whens.size() == 1 || rewrite::IsSmall(*branches->operand);
    if (is_once && differs(branches->operand->type)) CompareInEachWhen(*branches);
    if (!is_once) CompareOnce(*branches, query);
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
