// Plans whose groups are kept, and how they are split, by golden cases.
#include "lib/rewrite/passes/group_parts.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "tests/support/golden.h"

namespace logquery::rewrite {
namespace {

// The declared logs, in an engine that can tell places; of one, it can't.
Catalog Logs() {
  std::vector<Table> tables = Catalog::DeclaredLogs().tables();
  for (Table& table : tables) table.has_row_places = table.log != "auth_logs";
  return Catalog(std::move(tables), 1);
}

std::string Text(const QueryPlan& plan) {
  const absl::StatusOr<emit::EmittedQuery> emitted = emit::Emit(plan, Dialect::kGoogleSql);
  return emitted.ok() ? emitted->text : emitted.status().ToString();
}

std::string PartsOf(const testing::GoldenCase& input) {
  static const Catalog& catalog = *new Catalog(Logs());
  auto parsed = sql::ParseQuery(input.input, {});
  if (!parsed.ok()) return parsed.status().ToString();
  ResolveOptions options;
  options.catalog = &catalog;
  ParameterValues values;
  for (const auto& [name, text] : input.parameters) {
    options.parameters.push_back({name, Type::String()});
    values.insert_or_assign(name, Value::String(text));
  }
  auto plan = Resolve(**parsed, input.input, options);
  if (!plan.ok()) return plan.status().ToString();
  PassContext context;
  context.values = &values;
  context.max_rows = 1'000;
  const absl::Status done = RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan);
  if (!done.ok()) return done.ToString();
  const std::optional<GroupParts> parts = FindGroupParts(*plan);
  if (!parts) return "no groups";
  return base::StrCat("bucket ", parts->bucket, "\n", Text(parts->groups), "\n", Text(parts->rest), "\n",
                      Text(parts->tail));
}

TEST_CASE("the groups of a plan are the reviewed ones of its golden cases") {
  for (const testing::GoldenResult& result : testing::RunGolden("rewrite/group_parts.txt", PartsOf)) {
    CAPTURE(result.title);
    CHECK(result.actual == result.expected);
  }
}

}  // namespace
}  // namespace logquery::rewrite
