// Explanations: the query after each pass as people read it, and what the engine and the sources of its rows get. For
// `logquery translate` and for dry runs.
#ifndef LOGQUERY_LIB_ENDPOINT_EXPLAIN_H_
#define LOGQUERY_LIB_ENDPOINT_EXPLAIN_H_

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

// A pass's name, and the query after it.
using PassTexts = std::vector<std::pair<std::string, std::string>>;

// The plan as GoogleSQL; a comment that says why, where GoogleSQL can't spell it.
std::string GoogleSqlOf(const rewrite::QueryPlan& plan);

// Has the passes that run with `context` leave their texts in `texts`, which is borrowed.
void KeepTexts(rewrite::PassContext& context, PassTexts& texts);

// What of a prepared query is sent where.
QueryExplanation ExplainPrepared(const std::string& text, const std::vector<Slot>& slots,
                                 const std::vector<QueryFragment>& fragments);

// Whether EnginePlan can be asked of such a backend: DuckDB without sources of rows elsewhere, which planning may ask.
bool GivesPlans(const Capabilities& backend);

// The engine's plan of the query with these values. Nothing of it runs. QueryBackend::Execute's statuses.
absl::StatusOr<std::string> EnginePlan(QueryBackend& backend, const PreparedQuery& query, const Bindings& bindings,
                                       const ExecutionLimits& limits, const CancellationToken& cancellation);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_EXPLAIN_H_
