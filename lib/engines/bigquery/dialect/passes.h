// Passes that prepare a plan for BigQuery: they replace our own functions, and reject what BigQuery does not support.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_PASSES_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_PASSES_H_

#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/passes/pass.h"

namespace logquery::emit {

// Returns the passes in the order in which they run.
const std::vector<rewrite::Pass>& BigQueryPasses();

// Replaces calls of generate_timestamp_trunc_array by calls of GENERATE_TIMESTAMP_ARRAY.
absl::Status WriteOutBuckets(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Renames parameters to names that BigQuery accepts; the clock becomes @now. Unimplemented: two parameters would have
// one name.
absl::Status NameParameters(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Adds a sort key where an aggregate's or window's ORDER BY puts NULLs in a position that BigQuery can't express.
// Unimplemented: a key can't be added; UNNEST of several arrays; INTERSECT ALL and EXCEPT ALL.
absl::Status RefuseUnsupported(const rewrite::PassContext& context, rewrite::QueryPlan& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_PASSES_H_
