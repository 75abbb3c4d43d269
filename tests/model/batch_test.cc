#include "logquery/batch.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

namespace logquery {
namespace {

TEST_CASE("rows of values become columns, and values again") {
  const Schema schema = {{"name", Type::String()}, {"count", Type::Int64()}};
  const std::vector<std::vector<Value>> rows = {
      {Value::String("ada"), Value::Int64(1)},
      {Value::String("a name longer than twelve bytes"), Value::Null(Type::Int64())},
  };
  const ValueBatch owned(schema, rows);
  const Batch batch = owned.batch();
  REQUIRE(batch.rows() == 2);
  CHECK(batch.column(0).StringAt(1) == "a name longer than twelve bytes");
  CHECK(batch.column(1).IsNull(1));

  CollectingSink sink;
  REQUIRE(sink.Append(batch).ok());
  CHECK(sink.rows() == rows);
}

// A value of each type, so that nothing is forgotten.
std::vector<Value> OneOfEach() {
  const Type pair = Type::Struct({{"a", Type::Int64()}, {"b", Type::String()}});
  const Type record = Type::Record({{"r", Type::Record({{"x", Type::Float64()}})}});
  return {
      Value::Bool(true),
      Value::Int64(INT64_MIN),
      Value::Float64(-0.5),
      Value::Numeric("-12.5"),
      Value::BigNumeric("0.00000000000000000000000001"),
      Value::String(std::string("a\0b", 3)),
      Value::Bytes("\xFF"),
      Value::Json("[1]"),
      Value::Date(-1),
      Value::Time(1),
      Value::Datetime(-1),
      Value::TimestampMicros(1'769'846'400'000'000),
      Value::IntervalOf({-1, 2, 3}),
      Value::Array(Type::String(), {Value::String("x"), Value::Null(Type::String())}),
      Value::Array(Type::Int64(), {}),
      Value::Array(pair, {Value::Struct(pair, {Value::Int64(1), Value::String("")}), Value::Null(pair)}),
      Value::Struct(pair, {Value::Null(Type::Int64()), Value::String("thirteen byte")}),
      Value::Struct(record, {Value::Struct(record.fields()[0].type, {Value::Float64(1)})}),
      Value::Struct(record, {Value::Null(record.fields()[0].type)}),
  };
}

TEST_CASE("values and NULLs of every type survive a round trip") {
  Schema schema;
  std::vector<Value> nulls;
  for (const Value& value : OneOfEach()) {
    schema.push_back({"c", value.type()});
    nulls.push_back(Value::Null(value.type()));
  }
  const std::vector<std::vector<Value>> rows = {OneOfEach(), nulls, OneOfEach()};
  CollectingSink sink;
  REQUIRE(sink.Append(ValueBatch(schema, rows).batch()).ok());
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t i = 0; i < schema.size(); ++i) {
      CAPTURE(row, schema[i].type.ToString());
      CHECK(sink.rows()[row][i] == rows[row][i]);
    }
  }
}

TEST_CASE("validity holds over words of 64 rows") {
  std::vector<std::vector<Value>> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({i % 3 == 0 ? Value() : Value::Int64(i)});
  ValueBatch owned({{"i", Type::Int64()}}, rows);
  const ValueBatch moved = std::move(owned);
  CollectingSink sink;
  REQUIRE(sink.Append(moved.batch()).ok());
  CHECK(sink.rows() == rows);
}

TEST_CASE("a row with the wrong shape is rejected with its index") {
  const Schema schema = {{"i", Type::Int64()}, {"s", Type::String()}};
  const auto make = [&schema](std::vector<Value> row) {
    return ValueBatch(schema, {{Value(), Value()}, std::move(row)});
  };
  CHECK_THROWS_WITH(make({Value::Int64(1)}), "row 1 has 1 value for 2 columns");
  CHECK_THROWS_WITH(make({Value::Int64(1), Value::Int64(2)}), "row 1: the value of s is INT64, the column STRING");
  CHECK(make({Value::Int64(1), Value::String("a")}).batch().rows() == 2);
}

TEST_CASE("a batch may have no rows") {
  const ValueBatch owned({{"i", Type::Int64()}}, {});
  CHECK(owned.batch().rows() == 0);
  CHECK(owned.batch().column_count() == 1);
}

TEST_CASE("a string is stored inline up to 12 bytes and borrowed beyond") {
  const std::string text = "0123456789abcdef";
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::string_view part = std::string_view(text).substr(0, length);
    const StringRef ref(part);
    CHECK(ref.view() == part);
    CHECK((ref.view().data() == text.data()) == (length > 12));
  }
}

}  // namespace
}  // namespace logquery
