#include "lib/store/tables/booked_type.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::store {
namespace {

TEST_CASE("a booked type is shown to people in GoogleSQL, as the declared one is") {
  const Type request = Type::Struct({{"path", Type::String()}, {"a \"b\"", Type::Array(Type::Int64())}});
  const std::vector<std::pair<Type, std::string>> cases = {
      {Type::Bool(), "BOOL"},
      {Type::Int64(), "INT64"},
      {Type::Float64(), "FLOAT64"},
      {Type::Numeric(), "NUMERIC"},
      {Type::BigNumeric(), "BIGNUMERIC"},
      {Type::String(), "STRING"},
      {Type::Bytes(), "BYTES"},
      {Type::Date(), "DATE"},
      {Type::Time(), "TIME"},
      {Type::Timestamp(), "TIMESTAMP"},
      {Type::Interval(), "INTERVAL"},
      {Type::Json(), "JSON"},
      {Type::Array(Type::String()), "ARRAY<STRING>"},
      {request, "STRUCT<path STRING, a \"b\" ARRAY<INT64>>"},
      {Type::Array(Type::Struct({{"n", Type::Numeric()}, {"r", request}})),
       "ARRAY<STRUCT<n NUMERIC, r STRUCT<path STRING, a \"b\" ARRAY<INT64>>>>"},
      {Type::Struct({{"a", Type::Bytes()}, {"b", Type::BigNumeric()}, {"c", Type::Bytes()}}),
       "STRUCT<a BYTES, b BIGNUMERIC, c BYTES>"},
      // A record is declared without its list, and stored so.
      {Type::Record({{"status", Type::Int64()}}), "STRUCT<status INT64>"},
  };
  for (const auto& [type, text] : cases) {
    CAPTURE(text);
    CHECK(BookedTypeText(BookedType(type)) == text);
    CHECK(DeclaredTypeText(type) == text);
  }
}

TEST_CASE("a booked type that can't be read is shown as it is") {
  std::string deep;
  for (int i = 0; i < 1'000; ++i) deep += "STRUCT(\"a\" ";
  for (const std::string& booked :
       {std::string(), std::string("UHUGEINT"), std::string("BIGINTEGER"), std::string("STRUCT("),
        std::string("STRUCT(\"a"), std::string("STRUCT(\"a\" BIGINT"), std::string("BIGINT[] x"), deep}) {
    CHECK(BookedTypeText(booked) == booked);
  }
}

}  // namespace
}  // namespace logquery::store
