// Has window functions check how much they gather: the engine makes an array of ARRAY_AGG's for each row of some 2,000 at once,
// before it looks at its memory or the deadline again. A part of the pass bound_growth.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_BOUND_WINDOWS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_BOUND_WINDOWS_H_

#include "lib/emit/duckdb/long_values.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// `values` are those of the query.
void BoundWindows(rewrite::QueryPlan& query, const LongValues& values);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_BOUND_WINDOWS_H_
