// Resolves, plans and emits a query, and records the intermediate forms.
#include "lib/tools/translate.h"

#include "lib/base/redaction_kinds.h"
#include "lib/base/status_macros.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/emit_placed.h"
#include "lib/endpoint/call/explain.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/engines/duckdb/dialect/function_docs.h"
#include "lib/rewrite/passes/kept_shape.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::endpoint {
namespace {

absl::StatusOr<rewrite::QueryPlan> ResolveFor(const TranslateOptions& options) {
  if (options.endpoint == nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(sql::QueryPtr query, sql::ParseQuery(options.sql, {}));
    rewrite::ResolveOptions resolve;
    resolve.catalog = &options.catalog;
    return rewrite::Resolve(*query, options.sql, resolve);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ParsedDefinition definition, ParseInItsLanguage(*options.endpoint));
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<ResolvedQuery> resolved,
                            options.sql.empty()
                                ? ResolveEndpoint(*options.endpoint, definition, options.catalog)
                                : ResolveCallerSql(options.sql, *options.endpoint, definition, options.catalog));
  return rewrite::CopyPlan(resolved->plan);
}

}  // namespace

absl::StatusOr<TranslateResult> Translate(const TranslateOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, ResolveFor(options));
  TranslateResult result;
  rewrite::PassContext context;
  context.without = options.without;
  std::string kinds;
  if (options.endpoint != nullptr) {
    context.max_rows = options.endpoint->max_rows;
    kinds = base::PrintRedactionKinds(options.endpoint->redaction);
    if (options.endpoint->redact_pii) context.redaction = &kinds;
  }
  PassTexts passes;
  if (options.explain) KeepTexts(context, passes);
  const bool is_definition = options.endpoint != nullptr && options.sql.empty();
  const std::string& text = is_definition ? options.endpoint->query : options.sql;
  emit::EmittedQuery emitted;
  std::vector<QueryFragment> fragments;
  if (options.fragments != nullptr) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(rewrite::SharedPasses(), context, plan));
    LOGQUERY_ASSIGN_OR_RETURN(split::SplitText split,
                              EmitSplitPlaced(plan, *emit::SqlOf(options.fragments), options.dialect, text));
    emitted = std::move(split.rest);
    fragments = std::move(split.fragments);
  } else {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(options.dialect), context, plan));
    LOGQUERY_ASSIGN_OR_RETURN(emitted, EmitPlaced(plan, options.dialect, text));
  }
  result.explanation = ExplainPrepared(emitted.text, emitted.slots, fragments);
  if (options.explain && options.dialect == Dialect::kDuckDb && options.fragments == nullptr) {
    result.explanation.kept = rewrite::DescribeKeptShape(rewrite::FindKeptShape(plan));
  }
  result.explanation.passes = std::move(passes);
  result.dialect_text = std::move(emitted.text);
  result.slots = std::move(emitted.slots);
  result.googlesql = GoogleSqlOf(plan);
  result.schema = plan.schema;
  return result;
}

std::vector<std::string> PassNames() {
  std::vector<std::string> names;
  for (const rewrite::Pass& pass : emit::PassesOf(Dialect::kDuckDb)) names.emplace_back(pass.name);
  return names;
}

std::string FunctionTable() { return emit::FunctionTableMarkdown(); }

}  // namespace logquery::endpoint
