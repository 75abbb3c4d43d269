// Each pass by its golden cases: what a query is after it, as canonical GoogleSQL, with the passes before it run too.
#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/plain_patterns.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "tests/support/golden.h"

namespace logquery::rewrite {
namespace {

// The declared logs, with two hot columns and a presence flag on the gateway's.
Catalog Logs() {
  std::vector<Table> tables = Catalog::DeclaredLogs().tables();
  for (Table& table : tables) {
    if (table.log != "edge_logs") continue;
    table.hot_columns = {{{"metadata", "request", "path"}, "hot_path", HotColumn::Holds::kValue},
                         {{"metadata", "response", "status_code"}, "hot_status", HotColumn::Holds::kValue},
                         {{"metadata", "request"}, "has_request", HotColumn::Holds::kPresence}};
  }
  return Catalog(std::move(tables), 1);
}

// The endpoint whose entries the cases of redact_entries read.
constexpr char kEndpoint[] =
    "WITH logs AS (SELECT t.id, t.timestamp, t.event_message, t.metadata FROM `cloudflare.logs.prod` AS t "
    "WHERE t.project = 'abc' ORDER BY t.timestamp DESC), auth AS (SELECT a.id, m.msg, a.metadata FROM "
    "`gotrue.logs.prod` AS a CROSS JOIN UNNEST(a.metadata) AS m) SELECT id FROM logs";

absl::StatusOr<QueryPlan> ResolveFor(const std::string& pass, const sql::Query& query, const std::string& text,
                                     const ResolveOptions& options) {
  if (pass != "redact_entries") return Resolve(query, text, options);
  auto endpoint = sql::ParseQuery(kEndpoint, {});
  if (!endpoint.ok()) return endpoint.status();
  return ResolveSandboxed(query, text, {endpoint->get(), kEndpoint, {}}, options);
}

std::string After(const std::string& pass, const testing::GoldenCase& input) {
  static const Catalog& catalog = *new Catalog(Logs());
  auto parsed = sql::ParseQuery(input.input, {});
  if (!parsed.ok()) return parsed.status().ToString();
  ResolveOptions options;
  options.catalog = &catalog;
  ParameterValues values;
  for (const auto& [name, text] : input.parameters) {
    options.parameters.push_back({name, Type::String()});
    values.insert_or_assign(name, text == "NULL" ? Value::Null(Type::String()) : Value::String(text));
  }
  auto plan = ResolveFor(pass, **parsed, input.input, options);
  if (!plan.ok()) return plan.status().ToString();
  if (pass == "fold_parameters") SteerByPlainPatterns(*plan);
  const std::string scope = "@project_scope";
  const std::string kinds;
  PassContext context;
  context.values = &values;
  context.max_rows = 1'000;
  if (pass == "scope_project") context.project_scope_parameter = &scope;
  const bool redacts =
      pass == "redact_logs" || pass == "redact_entries" || pass == "hand_on_stored" || pass == "compare_stored";
  if (redacts) context.redaction = &kinds;
  if (pass == "redact_logs") context.project_scope_parameter = &scope;
  context.plain_parameters = pass == "compare_stored";
  context.finishes_rows = pass == "finish_rows";
  // The passes that follow decide what is redacted in the end.
  const std::string_view seen = redacts ? "prune_columns" : std::string_view(pass);
  std::string after;
  absl::Status verified;
  context.observe = [&](std::string_view name, const QueryPlan& now) {
    verified.Update(VerifyPlan(now));
    if (name != seen) return;
    auto emitted = emit::Emit(now, Dialect::kGoogleSql);
    after = emitted.ok() ? emitted->text : emitted.status().ToString();
  };
  verified.Update(RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan));
  return verified.ok() ? after : verified.ToString();
}

void Check(const std::string& pass) {
  for (const testing::GoldenResult& result : testing::RunGolden(
           "rewrite/" + pass + ".txt", [&](const testing::GoldenCase& input) { return After(pass, input); })) {
    CAPTURE(pass, result.title);
    CHECK(result.actual == result.expected);
  }
}

TEST_CASE("passes produce the reviewed output of their golden cases") {
  for (const Pass& pass : emit::PassesOf(Dialect::kDuckDb)) Check(pass.name);
}

TEST_CASE("a plan is sound after each pass, and the result keeps its columns") {
  static const Catalog& catalog = *new Catalog(Logs());
  const std::string sql =
      "with a as (select t.id, t.timestamp, r.path from `cloudflare.logs.prod` as t cross join unnest(t.metadata) as m "
      "left join unnest(m.request) as r) select path, count(*) as n from a where path like '/rest%' group by path "
      "having n > 1 order by n desc, path limit 3";
  auto parsed = sql::ParseQuery(sql, {});
  REQUIRE(parsed.ok());
  ResolveOptions options;
  options.catalog = &catalog;
  auto plan = Resolve(**parsed, sql, options);
  REQUIRE(plan.ok());
  const Schema schema = plan->schema;
  PassContext context;
  int seen = 0;
  context.observe = [&](std::string_view name, const QueryPlan& now) {
    ++seen;
    CAPTURE(std::string(name));
    CHECK(VerifyPlan(now).ToString() == "OK");
  };
  REQUIRE(RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan).ok());
  CHECK(seen == static_cast<int>(emit::PassesOf(Dialect::kDuckDb).size()) + 1);
  CHECK(plan->schema.size() == schema.size());
}

TEST_CASE("leaving out an unknown pass is an error") {
  auto parsed = sql::ParseQuery("select 1 as a", {});
  REQUIRE(parsed.ok());
  auto plan = Resolve(**parsed, "select 1 as a", {});
  REQUIRE(plan.ok());
  PassContext context;
  context.without = {"remove_unest"};
  const absl::Status status = RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan);
  REQUIRE(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(status).find("did you mean remove_unnest") != std::string_view::npos);
}

}  // namespace
}  // namespace logquery::rewrite
