#include "logquery/value.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

namespace logquery {
namespace {

TEST_CASE("a value keeps its type and content") {
  const Value days = Value::Array(Type::Date(), {Value::Date(20'000), Value::Null(Type::Date())});
  REQUIRE(days.type() == Type::Array(Type::Date()));
  REQUIRE(days.children().size() == 2);
  CHECK(days.children()[0].int64_value() == 20'000);
  CHECK(days.children()[1].is_null());
  CHECK(Value::Timestamp(absl::FromUnixNanos(1'999)).int64_value() == 1);
  CHECK(Value::Timestamp(absl::FromUnixNanos(-1)).int64_value() == -1);
}

TEST_CASE("values print for people") {
  const Type pair = Type::Struct({{"a", Type::Int64()}, {"", Type::String()}});
  const Type record = Type::Record({{"a", Type::Int64()}});
  struct Case {
    Value value;
    const char* text;
  };
  const Case cases[] = {
      {Value(), "NULL"},
      {Value::Bool(true), "true"},
      {Value::Int64(-5), "-5"},
      {Value::Float64(0.1), "0.1"},
      {Value::Float64(3), "3.0"},
      {Value::Float64(1e300), "1e+300"},
      {Value::Float64(-std::numeric_limits<double>::infinity()), "-Infinity"},
      {Value::Float64(std::nan("")), "NaN"},
      {Value::Numeric("-12.5"), "NUMERIC \"-12.5\""},
      {Value::BigNumeric("7"), "BIGNUMERIC \"7\""},
      {Value::String("a\"b\n"), "\"a\\\"b\\n\""},
      {Value::String("\xC3\xA4"), "\"\xC3\xA4\""},
      {Value::Bytes(std::string("a\0\xFF", 3)), "b\"a\\x00\\xff\""},
      {Value::Json("{\"a\":1}"), "JSON \"{\\\"a\\\":1}\""},
      {Value::Date(0), "DATE \"1970-01-01\""},
      {Value::Date(-719'162), "DATE \"0001-01-01\""},
      {Value::Date(2'932'896), "DATE \"9999-12-31\""},
      {Value::Date(19'782), "DATE \"2024-02-29\""},
      {Value::Time(86'399'999'999), "TIME \"23:59:59.999999\""},
      {Value::Time(1'500'000), "TIME \"00:00:01.500\""},
      {Value::Datetime(-1), "DATETIME \"1969-12-31 23:59:59.999999\""},
      {Value::TimestampMicros(1'769'846'400'000'000), "TIMESTAMP \"2026-01-31 08:00:00+00\""},
      {Value::IntervalOf({14, -3, 3'723'000'000}), "INTERVAL \"1-2 -3 1:2:3\""},
      {Value::IntervalOf({-1, 0, -1}), "INTERVAL \"-0-1 0 -0:0:0.000001\""},
      {Value::Array(Type::Int64(), {Value::Int64(1), Value()}), "[1, NULL]"},
      {Value::Array(Type::Int64(), {}), "[]"},
      {Value::Struct(pair, {Value::Int64(1), Value::String("x")}), "{a: 1, \"x\"}"},
      {Value::Struct(record, {Value::Int64(1)}), "[{a: 1}]"},
  };
  for (const Case& c : cases) CHECK(c.value.DebugString() == c.text);
}

TEST_CASE("values are equal in type and content") {
  const double nan = std::nan("");
  CHECK(Value::Int64(1) == Value::Int64(1));
  CHECK(Value::Int64(1) != Value::Int64(2));
  CHECK(Value::Int64(1) != Value::TimestampMicros(1));
  CHECK(Value::String("a") != Value::Bytes("a"));
  CHECK(Value::Null(Type::Int64()) == Value());
  CHECK(Value::Null(Type::String()) != Value());
  CHECK(Value() != Value::Int64(0));
  CHECK(Value::Float64(nan) == Value::Float64(nan));
  CHECK(Value::Float64(nan) != Value::Float64(1));
  CHECK(Value::Array(Type::Float64(), {Value::Float64(nan)}) == Value::Array(Type::Float64(), {Value::Float64(nan)}));
  CHECK(Value::Array(Type::Int64(), {}) != Value::Null(Type::Array(Type::Int64())));
}

}  // namespace
}  // namespace logquery
