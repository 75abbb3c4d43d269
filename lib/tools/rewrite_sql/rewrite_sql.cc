// Resolves the original over its endpoint, rewrites its tree, prints it, and resolves what was printed over the other
// endpoint, so that nothing is returned that the other front end does not take.
#include "lib/tools/rewrite_sql/rewrite_sql.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser.h"
#include "lib/clickhouse_sql/printer.h"
#include "lib/clickhouse_sql/resolve/resolver.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "lib/tools/rewrite_sql/comments.h"
#include "lib/tools/rewrite_sql/resolved_names.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"
#include "logquery/endpoint.h"

namespace logquery::tools {
namespace {

using base::StrCat;

absl::StatusOr<Endpoint> BuiltIn(std::string_view name) {
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == name) return std::move(endpoint);
  }
  return absl::InternalError(StrCat("there is no endpoint ", name));
}

// Resolves a caller's SQL over the endpoint, in its language.
absl::Status Check(std::string_view sql, std::string_view endpoint, const Catalog& catalog) {
  LOGQUERY_ASSIGN_OR_RETURN(const Endpoint definition, BuiltIn(endpoint));
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::ParsedDefinition parsed, endpoint::ParseInItsLanguage(definition));
  return endpoint::ResolveCallerSql(sql, definition, parsed, catalog).status();
}

}  // namespace

absl::StatusOr<RewrittenSql> RewriteToClickHouse(std::string_view sql, const Catalog& catalog,
                                                 const RewriteOptions& rewrite_options) {
  LOGQUERY_ASSIGN_OR_RETURN(const Endpoint definition, BuiltIn("logs.all"));
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr over, endpoint::ParseDefinition(definition));
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(sql, {}));
  ResolvedNames names;
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.observer = &names;
  for (const Parameter& parameter : definition.parameters)
    options.parameters.push_back({parameter.name, parameter.type});
  const rewrite::Sandbox sandbox{over.get(), definition.query, definition.private_ctes};
  LOGQUERY_RETURN_IF_ERROR(rewrite::ResolveSandboxed(*query, sql, sandbox, options).status());
  Notes notes(sql);
  ToClickHouse rewriter(sql, catalog, names, rewrite_options, &notes);
  LOGQUERY_ASSIGN_OR_RETURN(const clickhouse_sql::QueryPtr rewritten, rewriter.Rewrite(*query));
  RewrittenSql result;
  result.sql = clickhouse_sql::Print(*rewritten, FindComments(sql, false));
  result.notes = notes.Take();
  if (const absl::Status checked = Check(result.sql, "logs.all.otel", catalog); !checked.ok()) {
    return absl::UnimplementedError(
        StrCat("can't be rewritten as ClickHouse SQL: logs.all.otel would refuse the result: ", base::Message(checked),
               "\n", result.sql));
  }
  return result;
}

absl::StatusOr<RewrittenSql> RewriteToBigQuery(std::string_view sql, const Catalog& catalog) {
  LOGQUERY_ASSIGN_OR_RETURN(const Endpoint definition, BuiltIn("logs.all.otel"));
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::ParsedDefinition parsed, endpoint::ParseInItsLanguage(definition));
  LOGQUERY_ASSIGN_OR_RETURN(const clickhouse_sql::QueryPtr query, clickhouse_sql::ParseQuery(sql, {}));
  ChTypes types;
  clickhouse_sql::ResolveOptions options;
  options.catalog = &catalog;
  for (const Parameter& parameter : definition.parameters)
    options.parameters.push_back({parameter.name, parameter.type});
  options.on_type = [&](const clickhouse_sql::Expr& expr, const clickhouse_sql::ChType& type) { types[&expr] = type; };
  const clickhouse_sql::Definition over{parsed.clickhouse.get(), definition.query, definition.private_ctes};
  LOGQUERY_RETURN_IF_ERROR(clickhouse_sql::ResolveSandboxed(*query, sql, over, options).status());
  Notes notes(sql);
  ToBigQuery rewriter(sql, catalog, types, &notes);
  RewrittenSql result;
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, rewriter.Rewrite(*query));
  for (const clickhouse_sql::Comment& comment : FindComments(sql, true)) {
    result.sql += StrCat(comment.text, "\n");
  }
  result.sql += text;
  result.notes = notes.Take();
  if (const absl::Status checked = Check(result.sql, "logs.all", catalog); !checked.ok()) {
    return absl::UnimplementedError(StrCat("can't be rewritten as BigQuery SQL: logs.all would refuse the result: ",
                                           base::Message(checked), "\n", result.sql));
  }
  return result;
}

}  // namespace logquery::tools
