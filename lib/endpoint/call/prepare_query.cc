// Prepares a query as the planner does for a call, as the query of a temporary endpoint.
#include "logquery/prepare_query.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/interval_bucketer.h"

namespace logquery {

absl::StatusOr<ReadyQuery> PrepareQuery(QueryBackend& backend, const QueryText& text) {
  Endpoint definition;
  definition.name = "query";
  definition.query = text.sql;
  definition.max_rows = text.max_rows;
  rewrite::ParameterValues values;
  for (const auto& [name, value] : text.parameters) {
    Parameter& parameter = definition.parameters.emplace_back();
    parameter.name = name;
    parameter.type = value.type();
    values.insert_or_assign(name, value);
  }
  values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(text.now));
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr parsed, endpoint::ParseDefinition(definition));
  LOGQUERY_ASSIGN_OR_RETURN(const auto resolved, endpoint::ResolveEndpoint(definition, *parsed, catalog));
  const Capabilities capabilities = backend.capabilities();
  const auto buckets = [](int64_t count, std::string_view label, absl::Time now) {
    return IntervalBucketer::Generate(count, label, now);
  };
  const endpoint::QueryPlanner planner(capabilities.dialect, buckets, capabilities.reads_googlesql,
                                       capabilities.fragments);
  LOGQUERY_ASSIGN_OR_RETURN(endpoint::PlannedCall call, planner.Plan(*resolved, std::move(values)));
  return ReadyQuery{std::move(call.query), std::move(call.bindings)};
}

}  // namespace logquery
