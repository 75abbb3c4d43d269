// What a plan needs before DuckDB runs it, after the passes that are every engine's: what the engine does not bound, and what
// it would evaluate on rows that the query leaves out.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_PASSES_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_PASSES_H_

#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/passes/pass.h"

namespace logquery::emit {

// In the order in which they run.
const std::vector<rewrite::Pass>& DuckDbPasses();

// Functions that work on values which may be long, or shown to many rows, have a budget.
absl::Status BoundGrowth(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Keys of grouping sets that are the same for all rows are columns of the input.
absl::Status KeepConstantKeys(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// What may raise an error is evaluated only on rows that the conditions below it have kept.
absl::Status PinOperands(const rewrite::PassContext& context, rewrite::QueryPlan& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_PASSES_H_
