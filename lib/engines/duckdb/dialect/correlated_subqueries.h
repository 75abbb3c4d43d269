// Walks over the correlated subqueries that the engine's optimizer decorrelates by itself, for passes that write around its
// defects.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CORRELATED_SUBQUERIES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CORRELATED_SUBQUERIES_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

// Calls `rewrite` for each SubqueryScalar that reads columns of enclosing queries, `outer`, inner subqueries first. It may replace
// the scalar. Those that the emitter writes as semi joins are left out. Stops at the first error.
absl::Status RewriteCorrelatedSubqueries(
    rewrite::QueryPlan& query,
    absl::FunctionRef<absl::Status(rewrite::ScalarPtr& subquery, const rewrite::ColumnSet& outer)> rewrite);

// Calls `rewrite` for the conditions of the filters and joins of a subquery, but not of subqueries in it.
absl::Status RewriteConditions(rewrite::Plan& node,
                               absl::FunctionRef<absl::Status(rewrite::ScalarPtr& condition)> rewrite);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CORRELATED_SUBQUERIES_H_
