// Plans whose answers are kept, and the rows that must stay the same for it, by golden cases.
#include "lib/rewrite/passes/kept_shape.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/emit/dialects.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "tests/support/golden.h"

namespace logquery::rewrite {
namespace {

// The declared logs; the project of one is stored in a column of its own.
Catalog Logs() {
  std::vector<Table> tables = Catalog::DeclaredLogs().tables();
  for (Table& table : tables) {
    if (table.log != "function_edge_logs") continue;
    table.hot_columns = {{{"metadata", "project_ref"}, "hot_project", HotColumn::Holds::kValue}};
  }
  return Catalog(std::move(tables), 1);
}

// Parameters whose text is a time are TIMESTAMPs; `scope` is the project of the call's token.
std::string ShapeOf(const testing::GoldenCase& input) {
  static const Catalog& catalog = *new Catalog(Logs());
  static const std::string scope = "@project_scope";
  auto parsed = sql::ParseQuery(input.input, {});
  if (!parsed.ok()) return parsed.status().ToString();
  ResolveOptions options;
  options.catalog = &catalog;
  ParameterValues values;
  values.insert_or_assign(kNowParameter, Value::Timestamp(absl::FromUnixSeconds(1'772'600'767)));
  PassContext context;
  for (const auto& [name, text] : input.parameters) {
    absl::Time time;
    std::string error;
    if (name == "scope") {
      context.project_scope_parameter = &scope;
      values.insert_or_assign(scope, Value::String(text));
    } else if (absl::ParseTime(absl::RFC3339_full, text, &time, &error)) {
      options.parameters.push_back({name, Type::Timestamp()});
      values.insert_or_assign(name, Value::Timestamp(time));
    } else {
      options.parameters.push_back({name, Type::String()});
      values.insert_or_assign(name, Value::String(text));
    }
  }
  auto plan = Resolve(**parsed, input.input, options);
  if (!plan.ok()) return plan.status().ToString();
  context.values = &values;
  context.max_rows = 1'000;
  const absl::Status done = RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan);
  return done.ok() ? DescribeKeptShape(FindKeptShape(*plan)) : done.ToString();
}

TEST_CASE("the shape of a kept answer is the reviewed one of its golden cases") {
  for (const testing::GoldenResult& result : testing::RunGolden("rewrite/kept_shape.txt", ShapeOf)) {
    CAPTURE(result.title);
    CHECK(result.actual == result.expected);
  }
}

}  // namespace
}  // namespace logquery::rewrite
