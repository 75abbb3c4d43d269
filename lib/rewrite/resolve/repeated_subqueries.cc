// Walks the plan once, and renumbers the columns of every subquery that it has seen before.
#include "lib/rewrite/resolve/repeated_subqueries.h"

#include <algorithm>

#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// `seen` has the columns of earlier subqueries. Only copies of one subquery have equal columns. Returns whether the
// plan has a subquery.
bool SeparateIn(Plan& plan, QueryPlan& query, ColumnSet& seen) {
  bool any = false;
  ForEachSubplan(plan, [&](PlanPtr& subplan) {
    any = true;
    const bool is_repeated = std::any_of(subplan->columns.begin(), subplan->columns.end(),
                                         [&](const PlanColumn& column) { return seen.contains(column.id); });
    if (is_repeated) subplan = CloneWithFreshColumns(query, *subplan);
    for (const PlanColumn& column : subplan->columns) seen.insert(column.id);
    SeparateIn(*subplan, query, seen);
  });
  ForEachInput(plan, [&](PlanPtr& input) { any = SeparateIn(*input, query, seen) || any; });
  return any;
}

}  // namespace

void SeparateRepeatedSubqueries(QueryPlan& query) {
  ColumnSet seen;
  if (SeparateIn(*query.root, query, seen)) return;
  VisitPlans(*query.root, [](Plan& plan) { plan.may_hold_subqueries = false; });
}

}  // namespace logquery::rewrite
