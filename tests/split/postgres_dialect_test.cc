// The part of a query that PostgreSQL is asked, in its own words: golden cases. Their meaning is tested on a
// server, in the room postgres.
#include "lib/engines/postgres/dialect/postgres_dialect.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/spellings.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "tests/split/fragment_texts.h"

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

TEST_CASE("PostgreSQL fragments match the golden file") {
  testing::CheckFragmentTexts("split/postgres.txt", Logs(), PostgresSql());
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
