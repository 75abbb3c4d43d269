// Explains queries: the readable query after each pass, and the texts that the engine and the remote sources get. For
// `logquery translate` and for dry runs.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_EXPLAIN_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_EXPLAIN_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan.h"
#include "logquery/cancellation.h"
#include "logquery/prepared_query.h"
#include "logquery/query_backend.h"
#include "logquery/query_explanation.h"

namespace logquery::endpoint {

// Pairs of a pass's name and the query after it.
using PassTexts = std::vector<std::pair<std::string, std::string>>;

// Returns the plan as GoogleSQL, or a comment with the reason if it has no GoogleSQL form.
std::string GoogleSqlOf(const rewrite::QueryPlan& plan);

// Makes the passes that run with `context` append their texts to `texts`, which is borrowed.
void KeepTexts(rewrite::PassContext& context, PassTexts& texts);

// Describes which part of a prepared query is sent where.
QueryExplanation ExplainPrepared(const std::string& text, const std::vector<Slot>& slots,
                                 const std::vector<QueryFragment>& fragments);

// Returns whether EnginePlan supports this backend: DuckDB without remote sources, because planning could query them.
bool GivesPlans(const Capabilities& backend);

// Returns the engine's plan for the query with these values, without running it. Statuses: those of
// QueryBackend::Execute.
absl::StatusOr<std::string> EnginePlan(QueryBackend& backend, const PreparedQuery& query, const Bindings& bindings,
                                       const ExecutionLimits& limits, const CancellationToken& cancellation);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_EXPLAIN_H_
