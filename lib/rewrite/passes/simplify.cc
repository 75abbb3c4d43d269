// One function for each kind of node, applied bottom-up. An evaluation that fails is left to the engine, which fails
// only if a row gets there.
#include "lib/rewrite/passes/simplify.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// CASE x WHEN a … is CASE WHEN x = a …, where x is cheap to write again.
void ToSearched(Case& expr) {
  for (Case::When& when : expr.whens) {
    std::vector<ScalarPtr> sides;
    sides.push_back(Clone(*expr.operand));
    sides.push_back(std::move(when.condition));
    when.condition = MakeTypedCall("$equal", Type::Bool(), std::move(sides));
  }
  expr.operand = nullptr;
}

void SimplifyCase(ScalarPtr& scalar) {
  Case& expr = As<Case>(*scalar);
  if (expr.operand != nullptr && IsPath(*expr.operand)) ToSearched(expr);
  if (expr.operand != nullptr) return;
  std::vector<Case::When> kept;
  for (Case::When& when : expr.whens) {
    if (IsFalseOrNull(*when.condition)) continue;
    if (IsTrue(*when.condition)) {
      expr.otherwise = std::move(when.result);
      break;
    }
    kept.push_back(std::move(when));
  }
  expr.whens = std::move(kept);
  if (expr.whens.empty()) scalar = ScalarPtr(std::move(expr.otherwise));
}

// AND and OR: operands that decide nothing go; one that decides everything stays alone.
void SimplifyLogic(ScalarPtr& scalar, bool is_and) {
  std::vector<ScalarPtr>& operands = As<FunctionCall>(*scalar).arguments;
  const auto is_known = [](const ScalarPtr& operand, bool value) {
    const Constant* constant = If<Constant>(operand.get());
    return constant != nullptr && !constant->value.is_null() && constant->value.bool_value() == value;
  };
  const auto decides = [&](const ScalarPtr& operand) { return is_known(operand, !is_and); };
  if (std::any_of(operands.begin(), operands.end(), decides)) {
    scalar = MakeBool(!is_and);
    return;
  }
  const auto is_idle = [&](const ScalarPtr& operand) { return is_known(operand, is_and); };
  operands.erase(std::remove_if(operands.begin(), operands.end(), is_idle), operands.end());
  if (operands.size() > 1) return;
  ScalarPtr left = operands.empty() ? MakeBool(is_and) : std::move(operands[0]);
  scalar = std::move(left);
}

// COALESCE(record, []): a record that is not there is [] already.
void SimplifyRecordCoalesce(ScalarPtr& scalar) {
  FunctionCall& call = As<FunctionCall>(*scalar);
  if (!call.type.is_record() || call.arguments.size() != 2 || !call.arguments[0]->type.is_record()) return;
  const Cast* cast = If<Cast>(call.arguments[1].get());
  bool empty = If<Constant>(call.arguments[1].get()) != nullptr ||
               (cast != nullptr &&
                (If<ArrayMake>(cast->operand.get()) != nullptr || If<Constant>(cast->operand.get()) != nullptr));
  if (empty) scalar = ScalarPtr(std::move(call.arguments[0]));
}

// REDACT(REDACT(x)), by the same kinds, is REDACT(x).
void SimplifyRedaction(ScalarPtr& scalar) {
  const FunctionCall& outer = As<FunctionCall>(*scalar);
  if (!IsRedaction(*outer.arguments[0])) return;
  const FunctionCall& inner = As<FunctionCall>(*outer.arguments[0]);
  if (As<Constant>(*inner.arguments[1]).value != As<Constant>(*outer.arguments[1]).value) return;
  ScalarPtr once = std::move(As<FunctionCall>(*scalar).arguments[0]);
  scalar = std::move(once);
}

bool AllConstant(const FunctionCall& call) {
  for (const ScalarPtr& argument : call.arguments) {
    if (argument->kind != ScalarKind::kConstant) return false;
  }
  return !call.arguments.empty();
}

void SimplifyCall(ScalarPtr& scalar, EvaluationBudget& budget) {
  if (IsCallOf(*scalar, "$and")) return SimplifyLogic(scalar, true);
  if (IsCallOf(*scalar, "$or")) return SimplifyLogic(scalar, false);
  if (IsCallOf(*scalar, "$element") || IsCallOf(*scalar, "$present")) return MoveRedactionOut(scalar);
  if (IsRedaction(*scalar)) return SimplifyRedaction(scalar);
  if (IsCallOf(*scalar, "COALESCE") || IsCallOf(*scalar, "IFNULL")) SimplifyRecordCoalesce(scalar);
  const FunctionCall* call = If<FunctionCall>(scalar.get());
  if (call == nullptr || !AllConstant(*call) || !CanEvaluate(*call)) return;
  // A call that fails here, or takes long, is left for the engine: it fails only if a row gets there, and can be interrupted.
  static const auto* none = new ParameterValues;
  absl::StatusOr<Value> value = Evaluate(*call, *none, nullptr, budget);
  if (!value.ok()) return;
  sql::Span span = scalar->span;
  scalar = std::make_unique<Constant>(*std::move(value));
  scalar->span = span;
}

void SimplifyField(ScalarPtr& scalar) {
  FieldRef& field = As<FieldRef>(*scalar);
  if (StructMake* made = If<StructMake>(field.base.get())) {
    // The value is taken out first: assigning frees what holds it.
    ScalarPtr value = std::move(made->fields[field.index]);
    scalar = std::move(value);
    return;
  }
  MoveRedactionOut(scalar);
}

}  // namespace

void SimplifyNode(ScalarPtr& scalar, EvaluationBudget& budget) {
  switch (scalar->kind) {
    case ScalarKind::kCase:
      return SimplifyCase(scalar);
    case ScalarKind::kCall:
      return SimplifyCall(scalar, budget);
    case ScalarKind::kField:
      return SimplifyField(scalar);
    case ScalarKind::kCast: {
      Cast& cast = As<Cast>(*scalar);
      if (cast.format == nullptr && Type::SameLayout(cast.operand->type, cast.type)) {
        ScalarPtr operand = std::move(cast.operand);
        scalar = std::move(operand);
      }
      return;
    }
    case ScalarKind::kConstant:
    case ScalarKind::kColumn:
    case ScalarKind::kParameter:
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
    case ScalarKind::kSubquery:
    case ScalarKind::kLambda:
      return;
  }
}

void Simplify(PlanPtr& root) {
  EvaluationBudget budget;
  absl::Status status = RewriteScalars(root, [&budget](ScalarPtr& scalar) {
    SimplifyNode(scalar, budget);
    return absl::OkStatus();
  });
  status.Update(RewritePlans(root, [](PlanPtr& plan) {
    Filter* filter = If<Filter>(plan.get());
    if (filter != nullptr && IsTrue(*filter->condition)) {
      PlanPtr input = std::move(filter->input);
      plan = std::move(input);
    }
    return absl::OkStatus();
  }));
  status.IgnoreError();  // the callbacks never fail
}

}  // namespace logquery::rewrite
