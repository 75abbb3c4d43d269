#include "logquery/sandbox_verdict.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/endpoint/compiled_query.h"
#include "lib/rewrite/passes/columns_read.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/error.h"
#include "nlohmann/json.hpp"

namespace logquery {
namespace {

using Json = nlohmann::ordered_json;

// As QueryPlanner plans it where no parameter's value is known.
absl::Status PlanAsCalled(const endpoint::ResolvedQuery& resolved, Dialect dialect) {
  rewrite::QueryPlan plan = endpoint::CopyPlan(resolved.plan);
  rewrite::PassContext context;
  context.max_rows = resolved.max_rows;
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(dialect), context, plan));
  return endpoint::EmitPlaced(plan, dialect, resolved.text).status();
}

absl::StatusOr<SandboxVerdict> Inspect(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                       std::string_view sql, Dialect dialect) {
  const Endpoint& definition = endpoint.definition();
  if (!definition.query_sandboxing) {
    return absl::InvalidArgumentError(base::StrCat("the endpoint ", definition.name, " takes no SQL of the caller's"));
  }
  rewrite::SandboxUse use;
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::shared_ptr<endpoint::ResolvedQuery> resolved,
      endpoint::ResolveCallerSql(sql, definition, *endpoint.compiled().query, registry.catalog(), &use));
  LOGQUERY_RETURN_IF_ERROR(PlanAsCalled(*resolved, dialect));
  SandboxVerdict verdict;
  verdict.allowed = true;
  verdict.tables = std::move(use.tables);
  LOGQUERY_ASSIGN_OR_RETURN(verdict.columns, rewrite::ColumnsRead(endpoint::CopyPlan(resolved->plan)));
  verdict.functions = std::move(use.functions);
  verdict.parameters = std::move(use.parameters);
  verdict.result = resolved->plan.schema;
  return verdict;
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
                                            std::string_view sql, Dialect dialect) {
  absl::StatusOr<SandboxVerdict> verdict = Inspect(registry, endpoint, sql, dialect);
  if (verdict.ok()) return verdict;
  if (!absl::IsInvalidArgument(verdict.status()) && !absl::IsUnimplemented(verdict.status())) return verdict;
  SandboxVerdict refused;
  refused.reason = verdict.status();
  return refused;
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
  } else {
    json = ReasonJson(verdict.reason);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace logquery
