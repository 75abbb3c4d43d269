// Passes that prepare a plan for DuckDB after the shared passes: they bound what the engine does not bound, and prevent
// evaluation on rows that the query excludes.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PASSES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PASSES_H_

#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/passes/pass.h"

namespace logquery::emit {

// Returns the passes in the order in which they run.
const std::vector<rewrite::Pass>& DuckDbPasses();

// Computes operands of aggregates and windows that have subqueries in a projection below the node, because the engine's
// text may need an operand several times.
absl::Status ComputeOperands(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Adds budgets to functions whose arguments may be long or shown to many rows.
absl::Status BoundGrowth(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Turns grouping keys that are the same for all rows into columns of the input.
absl::Status KeepConstantKeys(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Evaluates expressions that may raise an error only on rows that the conditions below them have kept.
absl::Status PinOperands(const rewrite::PassContext& context, rewrite::QueryPlan& query);

// Filters the rows of subqueries in branches of IF, CASE and COALESCE by the branch's condition.
absl::Status GuardLazySubqueries(const rewrite::PassContext& context, rewrite::QueryPlan& query);

// Lets aggregates that only branches of IF, CASE and COALESCE read raise their errors where the branch is taken.
absl::Status MakeAggregatesLazy(const rewrite::PassContext& context, rewrite::QueryPlan& query);

// ---- what DuckDB can't run, or runs with another meaning, in a form that it can

// Computes percentiles of decimals, and those with RESPECT NULLS, from numbered rows.
absl::Status NumberPercentiles(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Counts the values of APPROX_TOP_COUNT in groups, in memory that the engine accounts for.
absl::Status GroupTopCounts(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Moves subqueries out of the conditions of outer joins. Unimplemented: a subquery reads both sides.
absl::Status MoveJoinSubqueries(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Makes columns of enclosing queries that lambdas and the left side of IN read columns of the subquery.
absl::Status BringOuterColumns(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Inlines WITH entries of subqueries that read columns of enclosing queries. InvalidArgument: the copies become too large.
// Unimplemented: each copy would have other values.
absl::Status InlineCorrelatedEntries(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Keeps rows of correlated subqueries by their numbers where LIMIT or OFFSET is a parameter.
absl::Status NumberCorrelatedRows(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Rewrites window frames that DuckDB ignores, wraps around, or evaluates for each row without need.
absl::Status PlainFrames(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Hides comparisons by != with columns of enclosing queries from an optimizer that makes wrong joins of them.
absl::Status HideOuterInequalities(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Hides further comparisons with a column of an enclosing query from an optimizer that fails on them.
absl::Status HideRepeatedOuterColumns(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Keeps rows of aggregates over no rows, which the engine loses in subqueries whose result is not the aggregate's.
absl::Status KeepEmptyAggregates(const rewrite::PassContext& context, rewrite::QueryPlan& query);

// InvalidArgument: DuckDB would need too long to plan the query, because of its nested aggregates and subqueries.
absl::Status BoundPlanning(const rewrite::PassContext& context, rewrite::QueryPlan& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PASSES_H_
