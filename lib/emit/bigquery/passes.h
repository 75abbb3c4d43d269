// What a plan needs before it is text that BigQuery runs: what is ours is written out, and what BigQuery does not have is refused.
#ifndef LOGQUERY_LIB_EMIT_BIGQUERY_PASSES_H_
#define LOGQUERY_LIB_EMIT_BIGQUERY_PASSES_H_

#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/passes/pass.h"

namespace logquery::emit {

// In the order in which they run.
const std::vector<rewrite::Pass>& BigQueryPasses();

// Calls of generate_timestamp_trunc_array become calls of GENERATE_TIMESTAMP_ARRAY.
absl::Status WriteOutBuckets(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// Parameters have names that BigQuery takes, and the clock is @now. Unimplemented: two parameters would have one name.
absl::Status NameParameters(const rewrite::PassContext& context, rewrite::QueryPlan& query);
// NULLs that an aggregate's or window's ORDER BY puts at the end where BigQuery can't are sorted by a key of their own.
// Unimplemented: a key can't be added; UNNEST of several arrays; INTERSECT ALL and EXCEPT ALL.
absl::Status RefuseUnsupported(const rewrite::PassContext& context, rewrite::QueryPlan& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_BIGQUERY_PASSES_H_
