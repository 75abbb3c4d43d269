// Each function that an engine is given has a case of values that engines differ on, which the engine's own tests run on a server
// (tests/postgres, tests/clickhouse). BigQuery has none: there is no server of it to run them on.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split.h"
#include "lib/sql/parser.h"
#include "logquery/catalog.h"
#include "tests/split/pushdown_page.h"
#include "tests/support/meaning_cases.h"

namespace logquery::testing {
namespace {

// A row of the function table, and the type that its T1 stands for.
using Covered = std::set<std::pair<std::string, std::string>>;

const Catalog& Values() {
  static const Catalog& catalog = *new Catalog(*Catalog::FromSchemaJson(
      R"({"v": {"columns": {"i": "INT64", "s": "STRING", "n": "INT64", "b": "BOOL", "t": "TIMESTAMP", "d": "DATE",
                            "dt": "DATETIME", "x": "FLOAT64", "m": {"ms": "STRING", "mn": "INT64", "mb": "BOOL"}}}})"));
  return catalog;
}

void Add(const rewrite::Overload& overload, const std::vector<rewrite::ScalarPtr>& arguments, Covered& covered) {
  covered.emplace(rewrite::SignatureText(overload), TypeOfCall(overload, arguments));
}

// Adds the calls of the query that the engine is given.
void AddQuery(const std::string& sql, const emit::Powers& powers, Covered& covered) {
  CAPTURE(sql);
  auto parsed = sql::ParseQuery(sql, {});
  REQUIRE(parsed.ok());
  rewrite::ResolveOptions options;
  options.catalog = &Values();
  auto plan = rewrite::Resolve(**parsed, sql, options);
  INFO(plan.status().ToString());
  REQUIRE(plan.ok());
  REQUIRE(rewrite::RunPasses(rewrite::SharedPasses(), {}, *plan).ok());
  const auto split = split::Split(*std::move(plan), powers);
  REQUIRE(split.ok());
  for (const split::Fragment& fragment : split->fragments) {
    const rewrite::Plan& root = *fragment.plan.root;
    rewrite::VisitScalars(root, [&](const rewrite::Scalar& scalar) {
      const auto* const call = rewrite::If<rewrite::FunctionCall>(&scalar);
      if (call != nullptr) Add(*call->overload, call->arguments, covered);
    });
    rewrite::VisitPlans(root, [&](const rewrite::Plan& node) {
      if (const auto* const aggregate = rewrite::If<rewrite::Aggregate>(&node)) {
        for (const auto& each : aggregate->calls) Add(*each.call.overload, each.call.arguments, covered);
      }
      if (const auto* const window = rewrite::If<rewrite::Window>(&node)) {
        for (const auto& each : window->calls) Add(*each.call.overload, each.call.arguments, covered);
      }
    });
  }
}

Covered CoveredBy(const std::vector<std::string>& conditions, const std::vector<std::string>& queries,
                  const emit::Powers& powers) {
  Covered covered;
  for (const std::string& condition : conditions) AddQuery(There(MeaningQuery(condition)), powers, covered);
  for (const std::string& query : queries) AddQuery(There(query), powers, covered);
  return covered;
}

// Calls that the engine is given, but that no case has.
std::vector<std::string> Uncovered(const emit::Powers& powers, const Covered& covered) {
  std::vector<std::string> without;
  for (const rewrite::FunctionRow* const row : rewrite::AllFunctionRows()) {
    const rewrite::Function& function = *rewrite::FindFunction(row->name);
    if (function.Has(rewrite::kReadsClock)) continue;  // a value
    if (row->name.starts_with("$ch.")) continue;       // of ClickHouse SQL alone: tests/clickhouse/otel_layout_test.cc
    for (const rewrite::Overload& overload : function.overloads) {
      if (overload.row != row) continue;
      const std::string signature = rewrite::SignatureText(overload);
      for (const std::string& type : PushdownOf(overload, powers).types) {
        if (!covered.contains({signature, type})) without.push_back(base::StrCat(signature, " of ", type));
      }
    }
  }
  return without;
}

const emit::Powers& PowersOf(std::string_view engine) {
  for (const RemoteEngine& each : RemoteEngines()) {
    if (each.name == engine) return *each.dialect->powers();
  }
  FAIL("there is no such engine");
  return *RemoteEngines()[0].dialect->powers();
}

TEST_CASE("each function that PostgreSQL is given has a case of nasty values that runs there") {
  const emit::Powers& powers = PowersOf("PostgreSQL");
  CHECK(Uncovered(powers, CoveredBy(PostgresConditions(), PostgresQueries(), powers)) == std::vector<std::string>{});
}

TEST_CASE("each function that ClickHouse is given has a case of nasty values that runs there") {
  const emit::Powers& powers = PowersOf("ClickHouse");
  CHECK(Uncovered(powers, CoveredBy(ClickHouseConditions(), ClickHouseQueries(), powers)) ==
        std::vector<std::string>{});
}

TEST_CASE("a function without a test case is detected") {
  const emit::Powers& powers = PowersOf("PostgreSQL");
  std::vector<std::string> conditions;
  for (const std::string& each : PostgresConditions()) {
    if (each.find("char_length") == std::string::npos) conditions.push_back(each);
  }
  CHECK(Uncovered(powers, CoveredBy(conditions, PostgresQueries(), powers)) ==
        std::vector<std::string>{"CHAR_LENGTH(STRING) -> INT64 of "});
}

}  // namespace
}  // namespace logquery::testing
