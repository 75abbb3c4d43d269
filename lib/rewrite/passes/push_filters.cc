// Moves conditions down to the scans whose columns they use: through sorts and projections that only pass columns on,
// and into the side of a join that they concern. Engines do much of this themselves, but not across results that they
// materialize.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

bool Has(const Plan& plan, ColumnId id) {
  return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const PlanColumn& c) { return c.id == id; });
}

// Returns whether `input`, which is below `plan`, provides the columns of `plan` that the condition reads. Columns of
// enclosing queries are available everywhere.
bool Gives(const Plan& input, const Scalar& condition, const Plan& plan) {
  bool gives = true;
  VisitScalars(condition, [&](const Scalar& part) {
    const ColumnRef* column = If<ColumnRef>(&part);
    gives = gives && (column == nullptr || Has(input, column->id) || !Has(plan, column->id));
  });
  return gives;
}

bool HasSubquery(const Scalar& scalar) {
  bool found = false;
  VisitScalars(scalar, [&](const Scalar& part) { found = found || part.kind == ScalarKind::kSubquery; });
  return found;
}

using Conditions = std::vector<ScalarPtr>;

Conditions Push(PlanPtr& node, Conditions conditions);

void PushAndPut(PlanPtr& node, Conditions conditions) {
  Conditions staying = Push(node, std::move(conditions));
  if (!staying.empty()) PutFilter(node, MakeAnd(std::move(staying)));
}

// Takes the conditions that only concern columns of `input`, if it is an input of `plan`; the others remain in
// `conditions`.
Conditions TakeGiven(const Plan& input, const Plan& plan, Conditions& conditions) {
  Conditions given, others;
  for (ScalarPtr& condition : conditions) {
    (Gives(input, *condition, plan) ? given : others).push_back(std::move(condition));
  }
  conditions = std::move(others);
  return given;
}

Conditions PushIntoJoin(Join& join, Conditions conditions) {
  using Type = Join::Type;
  const bool left_kept = join.type == Type::kCross || join.type == Type::kInner || join.type == Type::kLeft;
  const bool right_kept = join.type == Type::kCross || join.type == Type::kInner || join.type == Type::kRight;
  if (left_kept) PushAndPut(join.left, TakeGiven(*join.left, join, conditions));
  if (right_kept) PushAndPut(join.right, TakeGiven(*join.right, join, conditions));
  return conditions;
}

// Puts the conditions as far below the node as they may go, those that may go equally far together and in their order.
// Returns those that have to stand right above the node.
Conditions Push(PlanPtr& node, Conditions conditions) {
  if (conditions.empty()) return conditions;
  switch (node->kind) {
    case PlanKind::kFilter: {
      Conditions staying = Push(As<Filter>(*node).input, std::move(conditions));
      if (!staying.empty()) PutFilter(node, MakeAnd(std::move(staying)));
      return {};
    }
    case PlanKind::kSort:
      PushAndPut(As<Sort>(*node).input, std::move(conditions));
      return {};
    case PlanKind::kJoin:
      return PushIntoJoin(As<Join>(*node), std::move(conditions));
    case PlanKind::kProject: {
      Project& project = As<Project>(*node);
      PushAndPut(project.input, TakeGiven(*project.input, project, conditions));
      return conditions;
    }
    case PlanKind::kUnnest: {
      Unnest& unnest = As<Unnest>(*node);
      PushAndPut(unnest.input, TakeGiven(*unnest.input, unnest, conditions));
      return conditions;
    }
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kWith:
    case PlanKind::kAggregate:
    case PlanKind::kWindow:
    case PlanKind::kSetOperation:
    case PlanKind::kLimit:
      break;
  }
  return conditions;
}

}  // namespace

absl::Status PushFilters(const PassContext&, QueryPlan& query) {
  // Conditions move, columns stay as they are.
  return RewritePlans(query.root, [](PlanPtr& node) {
    Filter* filter = If<Filter>(node.get());
    if (filter == nullptr) return absl::OkStatus();
    // A condition that may fail on a row must not see rows that another one would have kept from it; conditions of one
    // WHERE stay together in their order, and an engine may order them anyway.
    PlanPtr input = std::move(filter->input);
    Conditions moving, with_subqueries;
    for (ScalarPtr& conjunct : TakeConjuncts(std::move(filter->condition))) {
      (HasSubquery(*conjunct) ? with_subqueries : moving).push_back(std::move(conjunct));
    }
    Conditions staying = Push(input, std::move(moving));
    std::move(with_subqueries.begin(), with_subqueries.end(), std::back_inserter(staying));
    if (!staying.empty()) input = std::make_unique<Filter>(std::move(input), MakeAnd(std::move(staying)));
    node = std::move(input);
    return absl::OkStatus();
  });
}

}  // namespace logquery::rewrite
