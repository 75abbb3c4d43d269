// Types between GoogleSQL and DuckDB: in as bind variables and table rows, out as batches.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "lib/store/create_table.h"
#include "tests/backend/duckdb_test_util.h"

namespace logquery::duckdb {
namespace {

TEST_CASE("a table of values can be created and queried") {
  const auto backend = OpenInMemory();
  REQUIRE(
      store::CreateTable(*backend, "my table", {{"a", Type::Int64()}, {"b", Type::String()}},
                         {{Value::Int64(1), Value::String("one")}, {Value::Null(Type::Int64()), Value::String("none")}})
          .ok());

  const Rows rows = Select(
      *backend, Duck(R"(SELECT "b" FROM "my table" WHERE "a" = $1)", {{"b", Type::String()}}, {{"a", Type::Int64()}}),
      {Value::Int64(1)});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0] == Value::String("one"));

  const auto catalog = backend->ReadCatalog();
  REQUIRE(catalog.ok());
  REQUIRE(catalog->Find("MY TABLE") != nullptr);
  CHECK(catalog->Find("my table")->columns[1].name == "b");
}

// One of every kind, in forms that lie differently in memory.
std::vector<Value> AllKinds() {
  const Type point = Type::Struct({{"x", Type::Int64()}, {"y", Type::String()}});
  const Type record = Type::Record({{"method", Type::String()}, {"status", Type::Record({{"code", Type::Int64()}})}});
  const Type inner = record.fields()[1].type;
  const std::string long_text = "longer than twelve bytes, and not ASCII: žluťoučký kůň";
  return {
      Value::Bool(true),
      Value::Int64(std::numeric_limits<int64_t>::min()),
      Value::Float64(-0.1),
      Value::Float64(std::numeric_limits<double>::infinity()),
      Value::Numeric("-12.5"),
      Value::Numeric("29999999999999999999999999999.999999999"),
      Value::BigNumeric("1.00000000000000000000000000000000000001"),
      Value::BigNumeric("-578960446186580977117854925043439539266.34992332820282019728792003956564819968"),
      Value::String(""),
      Value::String("twelve bytes"),
      Value::String(long_text),
      Value::String(std::string("a\0b", 3)),
      Value::Bytes(std::string("\xff\x00\xfe", 3)),
      Value::Date(-1),
      Value::Time(86'399'999'999),
      Value::Datetime(-1),
      Value::TimestampMicros(1'700'000'000'123'456),
      Value::IntervalOf({-14, 3, 5'000'001}),
      Value::Json(R"({"a":[1,2]})"),
      Value::Array(Type::Int64(), {}),
      Value::Array(Type::String(), {Value::String(long_text), Value::Null(Type::String()), Value::String("b")}),
      Value::Struct(point, {Value::Int64(1), Value::String("one")}),
      Value::Struct(point, {Value::Null(Type::Int64()), Value::Null(Type::String())}),
      Value::Array(point, {Value::Struct(point, {Value::Int64(1), Value::String(long_text)}), Value::Null(point)}),
      Value::Struct(record, {Value::String("GET"), Value::Struct(inner, {Value::Int64(200)})}),
      Value::Struct(record, {Value::String("GET"), Value::Null(inner)}),
  };
}

TEST_CASE("values and NULLs of every kind are unchanged after a round trip through a table") {
  const auto backend = OpenInMemory();
  for (const Value& value : AllKinds()) {
    CAPTURE(value.type().ToString(), value.DebugString());
    const Type& type = value.type();
    const absl::Status status =
        store::CreateTable(*backend, "t", {{"x", type}}, {{value}, {Value::Null(type)}, {value}});
    CAPTURE(status.ToString());
    REQUIRE(status.ok());
    const Rows rows = Select(*backend, Duck("SELECT x FROM t", {{"x", type}}));
    REQUIRE(rows.size() == 3);
    CHECK(rows[0][0] == value);
    CHECK(rows[1][0] == Value::Null(type));
    CHECK(rows[2][0] == value);
  }
}

TEST_CASE("a value of every kind can be bound, and so can a NULL") {
  const auto backend = OpenInMemory();
  for (const Value& value : AllKinds()) {
    CAPTURE(value.type().ToString(), value.DebugString());
    CHECK(SelectValue(*backend, "SELECT $1", value.type(), {value}) == value);
  }
  CHECK(SelectValue(*backend, "SELECT CAST($1 AS BIGINT)", Type::Int64(), {Value::Null(Type::Int64())}).is_null());
}

TEST_CASE("a NULL is bound with its type, so that a prepared statement need not be planned again for it") {
  const auto backend = OpenInMemory();
  for (const Value& value : AllKinds()) {
    CAPTURE(value.type().ToString());
    const Value of_null = SelectValue(*backend, "SELECT typeof($1) AS t", Type::String(), {Value::Null(value.type())});
    CHECK(of_null == SelectValue(*backend, "SELECT typeof($1) AS t", Type::String(), {value}));
  }
}

TEST_CASE("an array of records that are not unnested is an array of structs") {
  const auto backend = OpenInMemory();
  const Type element = Type::Struct({{"n", Type::Int64()}});
  const Value value = SelectValue(*backend, "SELECT [{n: 1::BIGINT}, {n: 2::BIGINT}]", Type::Array(element));
  REQUIRE(value.children().size() == 2);
  CHECK(value.children()[1].children()[0] == Value::Int64(2));
}

TEST_CASE("unnamed fields and fields with equal names are distinct") {
  const auto backend = OpenInMemory();
  const Type type = Type::Struct({{"", Type::Int64()}, {"a", Type::Int64()}, {"A", Type::Int64()}});
  const Value value = Value::Struct(type, {Value::Int64(1), Value::Int64(2), Value::Int64(3)});
  REQUIRE(store::CreateTable(*backend, "t", {{"s", type}}, {{value}}).ok());
  CHECK(SelectValue(*backend, "SELECT s FROM t", type) == value);
  CHECK(SelectValue(*backend, "SELECT s._1 + s._3 FROM t", Type::Int64()) == Value::Int64(4));
}

TEST_CASE("decimals of every width are read as 128 bits") {
  const auto backend = OpenInMemory();
  for (const char* width : {"18,9", "12,9", "38,9"}) {
    CAPTURE(width);
    const std::string sql = std::string("SELECT CAST(-1.5 AS DECIMAL(") + width + "))";
    CHECK(SelectValue(*backend, sql, Type::Numeric()) == Value::Numeric("-1.5"));
  }
}

TEST_CASE("columns that the engine compresses or repeats read as any other") {
  const auto backend = OpenInMemory();
  const Rows rows = Select(*backend, Duck("SELECT struct_pack(a := CASE WHEN range % 3 = 0 THEN NULL ELSE 'text number "
                                          "' || (range % 7) END, b := 5::BIGINT) "
                                          "FROM range(10000) WHERE range % 2 = 0",
                                          {{"s", Type::Record({{"a", Type::String()}, {"b", Type::Int64()}})}}));
  REQUIRE(rows.size() == 5000);
  CHECK(rows[1][0].children()[0] == Value::String("text number 2"));
  CHECK(rows[3][0].children()[0].is_null());
}

TEST_CASE("a parameter that is not UTF-8 is rejected by name") {
  const auto backend = OpenInMemory();
  CollectingSink sink;
  const absl::Status status = Execute(*backend, Duck("SELECT $1", {{"x", Type::String()}}, {{"who", Type::String()}}),
                                      sink, {Value::String("\xff")});
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(status.message() == "parameter who: text is not valid UTF-8");
}

TEST_CASE("a result whose columns are not those of the schema is an internal error that names the column") {
  const auto backend = OpenInMemory();
  struct Case {
    const char* sql;
    Schema schema;
    const char* names;
  };
  const Case cases[] = {
      {"SELECT 1::INTEGER", {{"n", Type::Int64()}}, "column n "},
      {"SELECT 1::BIGINT, 2::BIGINT", {{"n", Type::Int64()}}, "should have 1 column, has 2"},
      {"SELECT 1.5::DECIMAL(10,2)", {{"n", Type::Numeric()}}, "column n "},
      {"SELECT {a: 1::BIGINT}", {{"s", Type::Record({{"a", Type::String()}})}}, "column s.a "},
      {"SELECT {a: 1::BIGINT}", {{"s", Type::Record({})}}, "column s "},
      {"SELECT ['x']", {{"l", Type::Array(Type::Int64())}}, "column l[] "},
      {"SELECT now()", {{"t", Type::Timestamp()}}, "column t "},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CollectingSink sink;
    const absl::Status status = Execute(*backend, Duck(c.sql, c.schema), sink);
    CAPTURE(status.ToString());
    CHECK(status.code() == absl::StatusCode::kInternal);
    CHECK(std::string(status.message()).find(c.names) != std::string::npos);
  }
}

}  // namespace
}  // namespace logquery::duckdb
