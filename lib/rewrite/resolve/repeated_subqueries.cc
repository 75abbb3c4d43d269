#include "lib/rewrite/resolve/repeated_subqueries.h"

#include <algorithm>

#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// `seen`: what the subqueries before give. Copies give the same columns, and no other subquery does. Returns whether there
// is a subquery.
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
