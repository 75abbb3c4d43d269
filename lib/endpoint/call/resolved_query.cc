// Resolves the texts of definitions and callers in their languages.
#include <string>
#include <utility>

#include "lib/base/redaction_kinds.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser.h"
#include "lib/clickhouse_sql/resolve/resolver.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/passes/inline_entry.h"
#include "lib/rewrite/passes/plain_patterns.h"
#include "lib/rewrite/passes/simplify.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/tables_read.h"
#include "lib/sql/parser.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;
using rewrite::QueryPlan;

// The same error, said to be about this definition.
absl::Status InDefinition(const Endpoint& definition, const absl::Status& status) {
  ErrorDetails details = GetErrorDetails(status);
  if (!details.source.empty()) return status;  // it is about an endpoint that this one reads
  details.source = definition.name;
  return WithErrorDetails(
      absl::Status(status.code(), base::StrCat("endpoint ", definition.name, ": ", base::Message(status))), details);
}

rewrite::ResolveOptions OptionsFor(const Endpoint& definition, const Catalog& catalog, rewrite::FindView reads) {
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.find_view = std::move(reads);
  for (const Parameter& parameter : definition.parameters)
    options.parameters.push_back({parameter.name, parameter.type});
  return options;
}

std::shared_ptr<ResolvedQuery> Keep(const Endpoint& definition, std::string_view text, QueryPlan plan) {
  auto resolved = std::make_shared<ResolvedQuery>();
  resolved->endpoint_id = definition.id;
  resolved->text = std::string(text);
  resolved->max_rows = definition.max_rows;
  resolved->redaction = base::PrintRedactionKinds(definition.redaction);
  resolved->plan = std::move(plan);
  // An endpoint may define many logs while a query reads one or two. The others must not be copied for each variant,
  // and their predicates must not steer.
  rewrite::DropUnreadEntries(resolved->plan);
  rewrite::SteerByPlainPatterns(resolved->plan);
  // Folding simplifies the plan before it looks for predicates, so they must be taken from the simplified form.
  rewrite::Simplify(resolved->plan.root);
  resolved->steering = rewrite::SteeringPredicates(resolved->plan);
  return resolved;
}

// Positions in the endpoint's entries are places in another text than the caller's.
void ForgetPlaces(QueryPlan& plan) {
  rewrite::VisitPlans(*plan.root, [](rewrite::Plan& node) {
    rewrite::With* with = rewrite::If<rewrite::With>(&node);
    if (with == nullptr) return;
    for (rewrite::WithEntry& entry : with->entries) {
      if (!entry.endpoint) continue;
      absl::Status done = rewrite::RewriteScalars(entry.plan, [](rewrite::ScalarPtr& scalar) {
        scalar->span = {};
        return absl::OkStatus();
      });
      done.IgnoreError();  // the callback never fails
    }
  });
}

clickhouse_sql::ResolveOptions ClickHouseOptions(const Endpoint& definition, const Catalog& catalog) {
  clickhouse_sql::ResolveOptions options;
  options.catalog = &catalog;
  for (const Parameter& parameter : definition.parameters)
    options.parameters.push_back({parameter.name, parameter.type});
  return options;
}

}  // namespace

absl::StatusOr<sql::QueryPtr> ParseDefinition(const Endpoint& definition) {
  if (definition.language != QueryLanguage::kBigQuery) {
    return absl::InvalidArgumentError(
        StrCat("endpoint ", definition.name, ": its query is ClickHouse SQL; only BigQuery SQL is supported here"));
  }
  absl::StatusOr<sql::QueryPtr> query = sql::ParseQuery(definition.query, {});
  if (!query.ok()) return InDefinition(definition, query.status());
  return query;
}

absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveEndpoint(const Endpoint& definition, const sql::Query& query,
                                                               const Catalog& catalog, rewrite::FindView reads) {
  absl::StatusOr<QueryPlan> plan =
      rewrite::Resolve(query, definition.query, OptionsFor(definition, catalog, std::move(reads)));
  if (!plan.ok()) return InDefinition(definition, plan.status());
  return Keep(definition, definition.query, *std::move(plan));
}

absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallerSql(std::string_view sql, const Endpoint& definition,
                                                                const sql::Query& query, const Catalog& catalog,
                                                                rewrite::SandboxUse* use, rewrite::FindView reads) {
  LOGQUERY_ASSIGN_OR_RETURN(sql::QueryPtr caller, sql::ParseQuery(sql, {}));
  rewrite::Sandbox sandbox{&query, definition.query, definition.private_ctes};
  LOGQUERY_ASSIGN_OR_RETURN(
      QueryPlan plan,
      rewrite::ResolveSandboxed(*caller, sql, sandbox, OptionsFor(definition, catalog, std::move(reads)), use));
  ForgetPlaces(plan);
  return Keep(definition, sql, std::move(plan));
}

std::vector<std::string> ParsedDefinition::Entries() const {
  if (clickhouse != nullptr) return clickhouse_sql::EntriesOf(*clickhouse);
  std::vector<std::string> names;
  for (const sql::Cte& cte : bigquery->with) names.push_back(cte.name.text);
  return names;
}

absl::StatusOr<ParsedDefinition> ParseInItsLanguage(const Endpoint& definition) {
  ParsedDefinition parsed;
  if (definition.language == QueryLanguage::kBigQuery) {
    LOGQUERY_ASSIGN_OR_RETURN(parsed.bigquery, ParseDefinition(definition));
    return parsed;
  }
  clickhouse_sql::ParseLimits limits;
  limits.parameters = true;
  absl::StatusOr<clickhouse_sql::QueryPtr> query = clickhouse_sql::ParseQuery(definition.query, limits);
  if (!query.ok()) return InDefinition(definition, query.status());
  parsed.clickhouse = *std::move(query);
  return parsed;
}

absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveEndpoint(const Endpoint& definition,
                                                               const ParsedDefinition& query, const Catalog& catalog,
                                                               rewrite::FindView reads) {
  if (query.bigquery != nullptr) return ResolveEndpoint(definition, *query.bigquery, catalog, std::move(reads));
  absl::StatusOr<QueryPlan> plan =
      clickhouse_sql::Resolve(*query.clickhouse, definition.query, ClickHouseOptions(definition, catalog));
  if (!plan.ok()) return InDefinition(definition, plan.status());
  return Keep(definition, definition.query, *std::move(plan));
}

absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallerSql(std::string_view sql, const Endpoint& definition,
                                                                const ParsedDefinition& query, const Catalog& catalog,
                                                                rewrite::SandboxUse* use, rewrite::FindView reads) {
  if (query.bigquery != nullptr) {
    return ResolveCallerSql(sql, definition, *query.bigquery, catalog, use, std::move(reads));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const clickhouse_sql::QueryPtr caller, clickhouse_sql::ParseQuery(sql, {}));
  const clickhouse_sql::Definition of{query.clickhouse.get(), definition.query, definition.private_ctes};
  LOGQUERY_ASSIGN_OR_RETURN(
      QueryPlan plan, clickhouse_sql::ResolveSandboxed(*caller, sql, of, ClickHouseOptions(definition, catalog), use));
  ForgetPlaces(plan);
  return Keep(definition, sql, std::move(plan));
}

}  // namespace logquery::endpoint
