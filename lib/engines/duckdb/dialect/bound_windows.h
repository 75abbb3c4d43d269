// Makes window functions check how much they collect: the engine builds an ARRAY_AGG's array for each of some 2,000
// rows at once, before it checks its memory or the deadline again. Part of the pass bound_growth.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_BOUND_WINDOWS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_BOUND_WINDOWS_H_

#include "lib/engines/duckdb/dialect/long_values.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// `values` must be those of the query.
void BoundWindows(rewrite::QueryPlan& query, const LongValues& values);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_BOUND_WINDOWS_H_
