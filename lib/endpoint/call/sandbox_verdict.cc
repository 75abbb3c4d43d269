// Processes SQL as a call would, up to execution, and writes the findings as JSON.
#include "logquery/sandbox_verdict.h"

#include <algorithm>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/endpoint/call/emit_placed.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/rewrite/passes/columns_read.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/error.h"

namespace logquery {
namespace {

using base::Json;

// As QueryPlanner plans it where no parameter's value is known. Gives SandboxVerdict::parts.
absl::StatusOr<std::vector<std::string>> PlanAsCalled(const endpoint::ResolvedQuery& resolved,
                                                      const Capabilities& backend) {
  rewrite::QueryPlan plan = rewrite::CopyPlan(resolved.plan);
  rewrite::PassContext context;
  context.max_rows = resolved.max_rows;
  std::vector<std::string> parts;
  if (backend.fragments == nullptr) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(backend.dialect), context, plan));
    LOGQUERY_RETURN_IF_ERROR(endpoint::EmitPlaced(plan, backend.dialect, resolved.text).status());
    return parts;
  }
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(rewrite::SharedPasses(), context, plan));
  LOGQUERY_ASSIGN_OR_RETURN(
      const split::SplitText split,
      endpoint::EmitSplitPlaced(plan, *emit::SqlOf(backend.fragments), backend.dialect, resolved.text));
  for (const QueryFragment& fragment : split.fragments) parts.push_back(fragment.reason);
  return parts;
}

absl::StatusOr<SandboxVerdict> Inspect(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                       std::string_view sql, const Capabilities& backend) {
  const Endpoint& definition = endpoint.definition();
  if (!definition.query_sandboxing) {
    return absl::InvalidArgumentError(base::StrCat("the endpoint ", definition.name, " takes no SQL of the caller's"));
  }
  rewrite::SandboxUse use;
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<endpoint::ResolvedQuery> resolved,
                            endpoint::ResolveCallerSql(sql, definition, endpoint.compiled().query, registry.catalog(),
                                                       &use, endpoint.compiled().FindReads()));
  SandboxVerdict verdict;
  LOGQUERY_ASSIGN_OR_RETURN(verdict.parts, PlanAsCalled(*resolved, backend));
  verdict.allowed = true;
  verdict.tables = std::move(use.tables);
  LOGQUERY_ASSIGN_OR_RETURN(verdict.columns, rewrite::ColumnsRead(rewrite::CopyPlan(resolved->plan)));
  // Entries of the SQL's own may be among those of the plan.
  std::erase_if(verdict.columns, [&](const std::string& column) {
    return std::none_of(verdict.tables.begin(), verdict.tables.end(),
                        [&](const std::string& table) { return column.starts_with(base::StrCat(table, ".")); });
  });
  verdict.functions = std::move(use.functions);
  verdict.parameters = std::move(use.parameters);
  verdict.result = resolved->plan.schema;
  return verdict;
}

Json ExplanationJson(const QueryExplanation& explanation) {
  Json json = {{"passes", Json::array()}, {"parts", Json::array()}};
  for (const auto& [pass, query] : explanation.passes) json["passes"].push_back({{"pass", pass}, {"query", query}});
  for (const QueryExplanation::Part& part : explanation.parts) {
    json["parts"].push_back(
        {{"table", part.table}, {"query", part.text}, {"variables", part.variables}, {"then_here", part.then_here}});
  }
  json["here"] = explanation.text;
  json["variables"] = explanation.variables;
  json["engine"] = explanation.engine;
  if (!explanation.kept.empty()) json["kept"] = explanation.kept;
  if (!explanation.engine_plan.empty()) json["engine_plan"] = explanation.engine_plan;
  return json;
}

Json ReasonJson(const absl::Status& reason) {
  const ErrorDetails details = GetErrorDetails(reason);
  Json json = {{"allowed", false},
               {"status", std::string(absl::StatusCodeToString(reason.code()))},
               {"message", std::string(base::Message(reason))}};
  if (details.line > 0) json["line"] = details.line;
  if (details.column > 0) json["column"] = details.column;
  if (!details.snippet.empty()) json["snippet"] = details.snippet;
  if (!details.nearest.empty()) json["nearest"] = details.nearest;
  return json;
}

}  // namespace

absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql, const Capabilities& backend) {
  absl::StatusOr<SandboxVerdict> verdict = Inspect(registry, endpoint, sql, backend);
  if (verdict.ok()) return verdict;
  if (!absl::IsInvalidArgument(verdict.status()) && !absl::IsUnimplemented(verdict.status())) return verdict;
  SandboxVerdict refused;
  refused.reason = verdict.status();
  return refused;
}

absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql) {
  Capabilities embedded;
  embedded.dialect = Dialect::kDuckDb;
  return CheckSandbox(registry, endpoint, sql, embedded);
}

std::vector<std::string> TablesForCallers(const RegisteredEndpoint& endpoint) {
  std::vector<std::string> tables;
  const Endpoint& definition = endpoint.definition();
  if (!definition.query_sandboxing) return tables;
  for (const std::string& entry : endpoint.compiled().query.Entries()) {
    const bool hidden = std::any_of(definition.private_ctes.begin(), definition.private_ctes.end(),
                                    [&](const std::string& name) { return base::EqualsIgnoreCase(name, entry); });
    if (!hidden) tables.push_back(entry);
  }
  return tables;
}

std::string VerdictJson(const SandboxVerdict& verdict) {
  Json json;
  if (verdict.allowed) {
    json = {{"allowed", true},
            {"tables", verdict.tables},
            {"columns", verdict.columns},
            {"functions", verdict.functions},
            {"parameters", verdict.parameters},
            {"result", Json::array()}};
    for (const Field& column : verdict.result) {
      json["result"].push_back({{"name", column.name}, {"type", column.type.ToString()}});
    }
    if (verdict.explanation) json["explain"] = ExplanationJson(*verdict.explanation);
    for (const std::string& part : verdict.parts) {
      json["parts"].push_back(part.empty() ? Json::object() : Json{{"then_here", part}});
    }
  } else {
    json = ReasonJson(verdict.reason);
  }
  return json.ToString();
}

}  // namespace logquery
