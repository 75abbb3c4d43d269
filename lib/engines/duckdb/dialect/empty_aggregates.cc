// Keeps the row of an aggregate without groups where it aggregates no rows, in subqueries that read enclosing queries:
//
//     (SELECT 1 FROM (SELECT MAX(i.x) AS x FROM t AS i WHERE i.y = o.y) WHERE x IS NULL)
//
// becomes (SELECT COALESCE(value, NULL) FROM (SELECT 1 AS value …)). Where the aggregate has no rows, the engine leaves its row
// out if the subquery would be NULL anyway. It takes a subquery for such a one if its result is no IS NULL, COALESCE, CASE or
// the like: a result that does not come from the aggregate, as a constant or another table's column, is then lost
// (FlattenDependentJoins, its `parent_propagate_null_values`; DuckDB 1.5.6 has the defect, which the oracle found).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::SetOperationPlan;
using rewrite::SubqueryScalar;

namespace {

bool IsOfAllRows(const Plan& node) {
  const auto* const aggregate = If<Aggregate>(&node);
  return aggregate != nullptr && aggregate->keys.empty() && aggregate->grouping_sets.empty();
}

bool AggregatesAllRows(const Plan& node) {
  bool found = IsOfAllRows(node);
  rewrite::ForEachInput(node, [&](const Plan& input) { found = found || AggregatesAllRows(input); });
  return found;
}

// Returns whether the plan's row is the aggregate's own: its result is NULL or a count if there are no rows, which the engine
// knows.
bool IsAggregateItself(const Plan& plan) {
  const Plan* node = &plan;
  while (const auto* const project = If<Project>(node)) node = project->input.get();
  if (!IsOfAllRows(*node) || AggregatesAllRows(*rewrite::As<Aggregate>(*node).input)) return false;
  return std::any_of(node->columns.begin(), node->columns.end(),
                     [&](const rewrite::PlanColumn& column) { return column.id == plan.columns.front().id; });
}

// SELECT COALESCE(column, NULL) FROM plan
void HideColumn(PlanPtr& plan, QueryPlan& query) {
  const rewrite::PlanColumn value = plan->columns.front();
  auto project = std::make_unique<Project>(std::move(plan));
  project->may_hold_subqueries = project->input->may_hold_subqueries;
  std::vector<ScalarPtr> operands;
  operands.push_back(std::make_unique<rewrite::ColumnRef>(value));
  operands.push_back(std::make_unique<rewrite::Constant>(Value::Null(value.type)));
  const rewrite::PlanColumn column = query.NewColumn(value.name, value.type);
  project->columns.push_back(column);
  project->computed.push_back({column, rewrite::MakeTypedCall("COALESCE", value.type, std::move(operands))});
  plan = std::move(project);
}

// The engine looks at each input of a set operation by itself.
void HideInputs(Plan& node, QueryPlan& query) {
  rewrite::ForEachInput(node, [&](PlanPtr& input) { HideInputs(*input, query); });
  auto* const operation = If<SetOperationPlan>(&node);
  if (operation == nullptr) return;
  for (size_t i = 0; i < operation->inputs.size(); ++i) {
    if (operation->inputs[i]->columns.size() == 1) HideColumn(operation->inputs[i], query);
  }
}

}  // namespace

absl::Status KeepEmptyAggregates(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const subquery = If<SubqueryScalar>(scalar.get());
    if (subquery == nullptr || subquery->form != SubqueryScalar::Form::kScalar) return absl::OkStatus();
    if (!AggregatesAllRows(*subquery->plan) || IsAggregateItself(*subquery->plan)) return absl::OkStatus();
    if (rewrite::OuterColumns(*subquery->plan).empty()) return absl::OkStatus();
    HideInputs(*subquery->plan, query);
    HideColumn(subquery->plan, query);
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
