// Evaluates conditions on parameters before the query runs: `CASE WHEN @interval = 'hourly' THEN …` becomes one branch,
// and `COALESCE(@start, '') = '' OR …` becomes TRUE. A WITH entry that then consists of constants is inlined where it
// is read.
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/inline_entry.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/simplify.h"
#include "lib/rewrite/passes/substitute.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

constexpr uint64_t kReplacingSteps = 64'000'000;
constexpr absl::Duration kReplacingTime = absl::Seconds(1);

// Returns whether one of our own functions raises an error for some value of its first argument. This depends on its
// other arguments, so the function is tried with them and an empty text.
bool MayRaiseHere(const FunctionCall& call, EvaluationBudget& budget) {
  if (call.overload->own == nullptr || (call.overload->row->flags & kTotal) != 0) return false;
  if ((call.overload->row->flags & kTotalInFirst) == 0 || !call.arguments[0]->type.is(TypeKind::kString)) return true;
  FunctionCall tried(call.overload, call.type, {});
  tried.arguments.push_back(std::make_unique<Constant>(Value::String("")));
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    if (call.arguments[i]->kind != ScalarKind::kConstant) return true;
    tried.arguments.push_back(Clone(*call.arguments[i]));
  }
  return !Evaluate(tried, {}, nullptr, budget).ok();
}

// Once the budget is used up, the answer is not to be relied on.
bool IsSteering(const Scalar& scalar, EvaluationBudget& budget) {
  if (!scalar.type.is(TypeKind::kBool) || !CanEvaluate(scalar)) return false;
  bool parameter = false, clock = false, raises = false;
  VisitScalars(scalar, [&](const Scalar& part) {
    // An error of such a call counts only if a row gets there.
    const FunctionCall* call = If<FunctionCall>(&part);
    raises = raises || (call != nullptr && MayRaiseHere(*call, budget));
    const ParameterRef* ref = If<ParameterRef>(&part);
    parameter = parameter || ref != nullptr;
    clock = clock || (ref != nullptr && ref->name[0] == '@');
  });
  // A predicate that depends on the clock differs from call to call, so that no variant would be used twice.
  return parameter && !clock && !raises;
}

// Finds the largest predicates: the inside of a steering predicate is not searched.
void CollectSteering(const Scalar& scalar, EvaluationBudget& budget, std::vector<const Scalar*>& found);

void CollectSteering(const Plan& plan, EvaluationBudget& budget, std::vector<const Scalar*>& found) {
  ForEachOwnScalar(const_cast<Plan&>(plan), [&](ScalarPtr& scalar) {
    if (scalar != nullptr) CollectSteering(*scalar, budget, found);
  });
  ForEachInput(plan, [&](const Plan& input) { CollectSteering(input, budget, found); });
}

void CollectSteering(const Scalar& scalar, EvaluationBudget& budget, std::vector<const Scalar*>& found) {
  if (IsSteering(scalar, budget)) {
    found.push_back(&scalar);
    return;
  }
  ForEachChild(const_cast<Scalar&>(scalar), [&](const ChildSlot& child) {
    if (child.scalar != nullptr) CollectSteering(**child.scalar, budget, found);
    if (child.plan != nullptr) CollectSteering(**child.plan, budget, found);
  });
}

// `replaced`: becomes true where there was one. InvalidArgument: the budget is used up.
absl::Status ReplacePredicates(ScalarPtr& scalar, const ParameterValues& values, EvaluationBudget& budget,
                               bool& replaced);

absl::Status ReplacePredicates(Plan& plan, const ParameterValues& values, EvaluationBudget& budget, bool& replaced) {
  absl::Status status;
  ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
    if (status.ok()) status = ReplacePredicates(scalar, values, budget, replaced);
  });
  ForEachInput(plan, [&](PlanPtr& input) {
    if (status.ok()) status = ReplacePredicates(*input, values, budget, replaced);
  });
  return status;
}

absl::Status ReplacePredicates(ScalarPtr& scalar, const ParameterValues& values, EvaluationBudget& budget,
                               bool& replaced) {
  const bool is_steering = IsSteering(*scalar, budget);
  if (budget.IsSpent()) return absl::InvalidArgumentError("the query has too many conditions on parameters");
  if (is_steering) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, Evaluate(*scalar, values, nullptr, budget));
    scalar = std::make_unique<Constant>(std::move(value));
    replaced = true;
    return absl::OkStatus();
  }
  absl::Status status;
  ForEachChild(*scalar, [&](const ChildSlot& child) {
    if (!status.ok()) return;
    status = child.scalar != nullptr ? ReplacePredicates(*child.scalar, values, budget, replaced)
                                     : ReplacePredicates(**child.plan, values, budget, replaced);
  });
  return status;
}

// One row of values that need no table, below projections that only hand columns on; nullptr: it is none.
Project* ConstantRow(Plan& plan) {
  Project* project = If<Project>(&plan);
  while (project != nullptr && project->computed.empty() && project->input->kind == PlanKind::kProject) {
    project = If<Project>(project->input.get());
  }
  if (project == nullptr || project->input->kind != PlanKind::kSingleRow) return nullptr;
  for (const Computed& computed : project->computed) {
    if (!CanEvaluate(*computed.value)) return nullptr;
  }
  return project;
}

// Joining with such a row adds its values to the others. True: it was one.
bool JoinConstantRow(PlanPtr& plan) {
  Join* join = If<Join>(plan.get());
  if (join == nullptr || join->condition != nullptr) return false;
  if (join->type != Join::Type::kCross && join->type != Join::Type::kInner) return false;
  Project* left = ConstantRow(*join->left);
  Project* row = left != nullptr ? left : ConstantRow(*join->right);
  if (row == nullptr) return false;
  auto project = std::make_unique<Project>(std::move(left != nullptr ? join->right : join->left));
  project->computed = std::move(row->computed);
  project->columns = join->columns;
  plan = std::move(project);
  return true;
}

// (SELECT x) is x. True: it was one.
bool TakeConstantSubquery(ScalarPtr& scalar) {
  SubqueryScalar* subquery = If<SubqueryScalar>(scalar.get());
  if (subquery == nullptr || subquery->form != SubqueryScalar::Form::kScalar) return false;
  Project* row = ConstantRow(*subquery->plan);
  if (row == nullptr) return false;
  for (Computed& computed : row->computed) {
    if (computed.column.id != subquery->plan->columns[0].id) continue;
    ScalarPtr value = std::move(computed.value);
    scalar = std::move(value);
    return true;
  }
  return false;
}

bool InlineConstantEntries(QueryPlan& query) {
  std::vector<int> ids;
  VisitPlans(*query.root, [&](Plan& plan) {
    With* with = If<With>(&plan);
    if (with == nullptr) return;
    for (const WithEntry& entry : with->entries) {
      if (!entry.recursive && ConstantRow(*entry.plan) != nullptr) ids.push_back(entry.id);
    }
  });
  return !ids.empty() && InlineEntries(query, ids);
}

}  // namespace

std::optional<std::vector<const Scalar*>> SteeringPredicates(const QueryPlan& query) {
  std::vector<const Scalar*> found;
  EvaluationBudget budget;
  CollectSteering(*query.root, budget, found);
  if (budget.IsSpent()) return std::nullopt;
  return found;
}

absl::Status FoldParameters(const PassContext& context, QueryPlan& query) {
  // First, as CASE @interval WHEN 'hourly' … only then has conditions that steer.
  Simplify(query.root);
  bool changed = false;
  if (context.values != nullptr) {
    // Larger than that of SteeringPredicates, which has found these predicates and has evaluated them once.
    EvaluationBudget budget(kReplacingSteps, kReplacingTime);
    LOGQUERY_RETURN_IF_ERROR(ReplacePredicates(*query.root, *context.values, budget, changed));
  }
  if (changed) Simplify(query.root);
  // An entry may become constant by what was put into it: as often as entries can read each other.
  while (InlineConstantEntries(query)) Simplify(query.root);
  changed = false;
  LOGQUERY_RETURN_IF_ERROR(RewritePlans(query.root, [&](PlanPtr& plan) {
    changed = JoinConstantRow(plan) || changed;
    return absl::OkStatus();
  }));
  LOGQUERY_RETURN_IF_ERROR(RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    changed = TakeConstantSubquery(scalar) || changed;
    return absl::OkStatus();
  }));
  if (changed) RefreshColumns(*query.root);
  changed = SubstituteComputed(*query.root, [](const Scalar& value) { return CanEvaluate(value); }) || changed;
  if (changed) Simplify(query.root);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
