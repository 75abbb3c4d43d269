// The part of a query that PostgreSQL is asked, in its own words: golden cases. That the words mean the same is tested on a
// server, in the room postgres.
#include "lib/engines/postgres/dialect/postgres_dialect.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/spellings.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split_text.h"
#include "lib/sql/parser.h"
#include "tests/support/golden.h"

namespace logquery::emit {
namespace {

// The built-in logs, each under its name.
const Catalog& Logs() {
  static const Catalog& catalog = *[] {
    const Catalog declared = Catalog::DeclaredLogs();
    std::vector<Table> tables = declared.tables();
    for (Table& table : tables) table.storage_name = PostgresIdentifier(table.name);
    return new Catalog(std::move(tables), 1);
  }();
  return catalog;
}

std::string Described(const std::string& sql) {
  auto parsed = sql::ParseQuery(sql, {});
  if (!parsed.ok()) return parsed.status().ToString();
  rewrite::ResolveOptions options;
  options.catalog = &Logs();
  options.parameters.push_back({"project", Type::String()});
  options.parameters.push_back({"start", Type::Timestamp()});
  auto plan = rewrite::Resolve(**parsed, sql, options);
  if (!plan.ok()) return plan.status().ToString();
  if (absl::Status done = rewrite::RunPasses(rewrite::SharedPasses(), {}, *plan); !done.ok()) return done.ToString();
  const auto split = split::EmitSplit(*std::move(plan), PostgresSql(), Dialect::kDuckDb);
  if (!split.ok()) return split.status().ToString();
  std::string text;
  for (const QueryFragment& fragment : split->fragments) {
    base::StrAppend(&text, text.empty() ? "" : "\n", "there: ", fragment.text);
    if (!fragment.reason.empty()) base::StrAppend(&text, "\n  then here: ", fragment.reason);
  }
  return text;
}

TEST_CASE("PostgreSQL fragments match the golden file") {
  const auto make = [](const testing::GoldenCase& input) { return Described(input.input); };
  for (const testing::GoldenResult& result : testing::RunGolden("split/postgres.txt", make)) {
    CAPTURE(result.title);
    CHECK(result.actual == result.expected);
  }
}

TEST_CASE("PostgreSQL's spellings name existing functions") {
  CHECK(PostgresSpellings().problems() == std::vector<std::string>{});
}

TEST_CASE("PostgreSQL's literals and names are quoted safely") {
  const auto literal = [](const Value& value) { return *PostgresLiteral(value); };
  CHECK(literal(Value::String("it's \\ \" $1")) == "('it''s \\ \" $1'::text COLLATE \"C\")");
  CHECK(literal(Value::Int64(INT64_MIN)) == "('-9223372036854775808'::int8)");
  CHECK(literal(Value::TimestampMicros(-1)) == "('1969-12-31 23:59:59.999999+00'::timestamptz)");
  CHECK(literal(Value::Date(-719'162)) == "('0001-01-01'::date)");
  CHECK(literal(Value::Null(Type::Int64())) == "NULL::int8");
  CHECK(PostgresLiteral(Value::String(std::string("a\0b", 3))).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(PostgresLiteral(Value::String("\xFF")).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(PostgresLiteral(Value::Float64(1)).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(PostgresIdentifier("a\"b") == "\"a\"\"b\"");
}

TEST_CASE("names in paths of JSON end neither the path nor its quotes") {
  PostgresRecord record;
  record.base = "x.body";
  CHECK(PostgresFieldSql(record, "a\"b\\c'd\n", Type::Json()) ==
        "jsonb_path_query_first(x.body, '$ ? (@.\"a\\\"b\\\\c''d\\u000a\".type() != "
        "\"null\").\"a\\\"b\\\\c''d\\u000a\"')");
}

}  // namespace
}  // namespace logquery::emit
