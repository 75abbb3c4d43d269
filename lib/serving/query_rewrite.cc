// Lets the service check the SQL as a dry run, and rewrites it with the catalog that the service planned this principal's calls
// for.
#include "logquery/serving/query_rewrite.h"

#include <algorithm>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/bound_call.h"
#include "lib/endpoint/call/call.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"

namespace logquery {
namespace {

using base::Json;
using base::StrCat;

constexpr std::string_view kBigQuery = "bigquery";
constexpr std::string_view kClickHouse = "clickhouse";

std::string_view EndpointOf(QueryLanguage language) {
  return language == QueryLanguage::kClickHouse ? "logs.all.otel" : "logs.all";
}

std::string_view LanguageName(QueryLanguage language) {
  return language == QueryLanguage::kClickHouse ? kClickHouse : kBigQuery;
}

// A rewrite is over the built-in definitions: SQL for another one that has its name would have another meaning.
absl::StatusOr<CallTarget> FindBuiltIn(QueryService& service, const Principal& principal, QueryLanguage language) {
  LOGQUERY_ASSIGN_OR_RETURN(CallTarget target, service.Find(principal, EndpointOf(language)));
  const std::vector<Endpoint> all = Endpoint::BuiltIn();
  const bool built_in = std::any_of(all.begin(), all.end(), [&](const Endpoint& endpoint) {
    return endpoint.name == target.definition->name && endpoint.query == target.definition->query;
  });
  if (built_in && target.definition->query_sandboxing) return target;
  return absl::UnimplementedError(StrCat("queries are rewritten over the built-in endpoint ", EndpointOf(language),
                                         ", which this server has replaced by another definition"));
}

absl::StatusOr<tools::RewrittenSql> Rewrite(const CallTarget& from, const QueryRewrite& wanted) {
  const Catalog& catalog = from.found->snapshot->registry->catalog();
  if (wanted.to == QueryLanguage::kBigQuery) return tools::RewriteToBigQuery(wanted.sql, catalog);
  return tools::RewriteToClickHouse(wanted.sql, catalog, {wanted.rows_have_metadata});
}

}  // namespace

absl::StatusOr<RewrittenQuery> RewriteQuery(QueryService& service, const Principal& principal,
                                            const QueryRewrite& wanted) {
  const bool forth = wanted.to == QueryLanguage::kClickHouse;
  const QueryLanguage written = forth ? QueryLanguage::kBigQuery : QueryLanguage::kClickHouse;
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget from, FindBuiltIn(service, principal, written));
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget to, FindBuiltIn(service, principal, wanted.to));
  QueryRequest request;
  request.parameters = {{"sql", wanted.sql}};
  request.redact_pii = wanted.redact_pii;
  LOGQUERY_ASSIGN_OR_RETURN(const SandboxVerdict verdict, service.Check(from, request));
  if (!verdict.allowed) return verdict.reason;
  absl::StatusOr<tools::RewrittenSql> rewritten = Rewrite(from, wanted);
  if (!rewritten.ok()) {
    const bool redacts = wanted.redact_pii || from.MandatesRedaction();
    return redacts ? endpoint::RedactError(rewritten.status(), from.found->endpoint->compiled().redactor)
                   : rewritten.status();
  }
  RewrittenQuery made;
  made.sql = std::move(rewritten->sql);
  made.endpoint = to.definition->name;
  for (tools::RewriteNote& note : rewritten->notes)
    made.notes.push_back({note.line, note.column, std::move(note.text)});
  return made;
}

absl::StatusOr<std::string> AnswerRewrite(QueryService& service, const Principal& principal, std::string_view body,
                                          bool redact_pii) {
  QueryRewrite wanted;
  wanted.redact_pii = redact_pii;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("the request's body", body, [&](base::JsonFields& fields) {
    wanted.sql = fields.Text("sql");
    wanted.rows_have_metadata = fields.Flag("rows_have_metadata", false);
    const std::string to = fields.Text("to");
    if (!fields.ok()) return;
    if (to != kBigQuery && to != kClickHouse)
      fields.Fail("to", StrCat("is ", base::QuotedText(to), ", not bigquery or clickhouse"));
    wanted.to = to == kBigQuery ? QueryLanguage::kBigQuery : QueryLanguage::kClickHouse;
  }));
  LOGQUERY_ASSIGN_OR_RETURN(const RewrittenQuery rewritten, RewriteQuery(service, principal, wanted));
  Json notes = Json::array();
  for (const RewrittenQuery::Note& note : rewritten.notes) {
    Json json = Json::object();
    if (note.line > 0) json = {{"line", note.line}, {"column", note.column}};
    json["text"] = note.text;
    notes.push_back(std::move(json));
  }
  return Json{{"language", std::string(LanguageName(wanted.to))},
              {"endpoint", rewritten.endpoint},
              {"sql", rewritten.sql},
              {"notes", std::move(notes)}}
      .ToString();
}

}  // namespace logquery
