// Finds the correlated subqueries, and the conditions in one.
#include "lib/engines/duckdb/dialect/correlated_subqueries.h"

#include "lib/base/status_macros.h"
#include "lib/emit/semi_joins.h"

namespace logquery::emit {

using rewrite::ColumnSet;
using rewrite::If;
using rewrite::Plan;
using rewrite::ScalarPtr;

absl::Status RewriteCorrelatedSubqueries(rewrite::QueryPlan& query,
                                         absl::FunctionRef<absl::Status(ScalarPtr&, const ColumnSet&)> rewrite) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  const Subqueries joined = SemiJoinsIn(*query.root);
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const subquery = If<rewrite::SubqueryScalar>(scalar.get());
    if (subquery == nullptr || joined.contains(subquery)) return absl::OkStatus();
    const ColumnSet outer = rewrite::OuterColumns(*subquery->plan);
    return outer.empty() ? absl::OkStatus() : rewrite(scalar, outer);
  });
}

absl::Status RewriteConditions(Plan& node, absl::FunctionRef<absl::Status(ScalarPtr&)> rewrite) {
  if (auto* const filter = If<rewrite::Filter>(&node)) LOGQUERY_RETURN_IF_ERROR(rewrite(filter->condition));
  auto* const join = If<rewrite::Join>(&node);
  if (join != nullptr && join->condition != nullptr) LOGQUERY_RETURN_IF_ERROR(rewrite(join->condition));
  absl::Status status;
  rewrite::ForEachInput(node, [&](rewrite::PlanPtr& input) {
    if (status.ok()) status = RewriteConditions(*input, rewrite);
  });
  return status;
}

}  // namespace logquery::emit
