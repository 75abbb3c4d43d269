// Planning evaluates constants and parameters up to a limit, since nothing interrupts it: the rest is left for the engine.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/interval_bucketer.h"

namespace logquery::endpoint {
namespace {

struct Planned {
  std::shared_ptr<ResolvedQuery> resolved;
  PlannedCall call;
};

Planned PlanOf(const std::string& sql, const std::string& p) {
  Endpoint definition;
  definition.name = "query";
  definition.query = sql;
  definition.max_rows = 100;
  Parameter& parameter = definition.parameters.emplace_back();
  parameter.name = "p";
  parameter.type = Type::String();
  const auto parsed = ParseDefinition(definition);
  REQUIRE(parsed.ok());
  auto resolved = ResolveEndpoint(definition, **parsed, Catalog());
  INFO(resolved.status().ToString());
  REQUIRE(resolved.ok());
  const QueryPlanner planner(Dialect::kDuckDb, [](int64_t count, std::string_view label, absl::Time now) {
    return IntervalBucketer::Generate(count, label, now);
  });
  rewrite::ParameterValues values;
  values.insert_or_assign("p", Value::String(p));
  values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(absl::UnixEpoch()));
  auto call = planner.Plan(**resolved, values);
  INFO(call.status().ToString());
  REQUIRE(call.ok());
  return {*std::move(resolved), *std::move(call)};
}

int CountOf(const std::string& text, std::string_view part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Conditions whose patterns differ, and take some 100 ms each to compile.
std::string SlowConditions(const std::string& text, int count, std::string_view between) {
  std::string conditions;
  for (int i = 0; i < count; ++i) {
    base::StrAppend(&conditions, i == 0 ? "" : between, "REGEXP_CONTAINS(", text, R"(, r'\pL{)", 200 + i, "}')");
  }
  return conditions;
}

TEST_CASE("calls on constants are evaluated while a query is planned, as far as a budget goes") {
  CHECK(CountOf(PlanOf("SELECT REGEXP_CONTAINS('abc', 'b') AS found", "").call.query->dialect_text(), "regexp") == 0);
  const std::string slow =
      PlanOf("SELECT " + SlowConditions("'abc'", 40, " OR ") + " AS found", "").call.query->dialect_text();
  CHECK(CountOf(slow, "regexp") > 0);
}

TEST_CASE("conditions on parameters steer a query, unless it takes too long to find them") {
  const Planned quick = PlanOf("SELECT 1 AS one FROM UNNEST([1]) WHERE REGEXP_CONTAINS(@p, 'b')", "abc");
  REQUIRE(quick.resolved->steering.has_value());
  CHECK(quick.resolved->steering->size() == 1);
  CHECK(CountOf(quick.call.query->dialect_text(), "regexp") == 0);

  const Planned slow = PlanOf("SELECT 1 AS one FROM UNNEST([1]) WHERE " + SlowConditions("@p", 40, " AND "), "abc");
  CHECK_FALSE(slow.resolved->steering.has_value());
  CHECK(slow.call.variant.ends_with("unfolded"));
  CHECK(CountOf(slow.call.query->dialect_text(), "regexp") == 40);
}

TEST_CASE("a budget that is used up ends evaluation, before a call and within one") {
  const Planned planned = PlanOf("SELECT 1 AS one FROM UNNEST([1]) WHERE REGEXP_CONTAINS(@p, 'b')", "");
  REQUIRE((planned.resolved->steering.has_value() && planned.resolved->steering->size() == 1));
  const rewrite::Scalar& condition = *planned.resolved->steering->front();
  rewrite::ParameterValues values;
  values.insert_or_assign("p", Value::String(std::string(100'000, 'a')));
  CHECK(*rewrite::Evaluate(condition, values, nullptr) == Value::Bool(false));
  rewrite::EvaluationBudget few_steps(0);
  CHECK(absl::IsResourceExhausted(rewrite::Evaluate(condition, values, nullptr, few_steps).status()));
  CHECK(few_steps.IsSpent());
  rewrite::EvaluationBudget no_time(1'000'000, -absl::Seconds(1));
  CHECK(absl::IsResourceExhausted(rewrite::Evaluate(condition, values, nullptr, no_time).status()));
}

}  // namespace
}  // namespace logquery::endpoint
