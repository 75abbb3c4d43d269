#include "tests/conformance/value_json.h"

#include <catch2/catch_all.hpp>

#include "nlohmann/json.hpp"

namespace logquery::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Reads the text as a value of that type, and writes it again.
std::string ThereAndBack(const std::string& type_text, const std::string& json) {
  absl::StatusOr<Type> type = ParseTypeText(type_text);
  REQUIRE(type.ok());
  absl::StatusOr<Value> value = ValueFromJson(Json::parse(json), *type);
  return value.ok() ? JsonFromValue(*value).dump() : "error";
}

TEST_CASE("values survive a round trip through JSON") {
  CHECK(ThereAndBack("STRUCT<a INT64, b ARRAY<DATE>>", R"([1, ["2026-01-31", null]])") == R"([1,["2026-01-31",null]])");
}

TEST_CASE("each type has its form") {
  struct Row {
    const char* type;
    const char* json;
    const char* back;
  };
  const Row row =
      GENERATE(Row{"BOOL", "true", "true"}, Row{"INT64", "-9223372036854775808", "-9223372036854775808"},
               Row{"INT64", R"("12")", "12"}, Row{"FLOAT64", "0.5", "0.5"}, Row{"FLOAT64", "1", "1.0"},
               Row{"FLOAT64", R"("nan")", R"("nan")"}, Row{"FLOAT64", R"("-inf")", R"("-inf")"},
               Row{"NUMERIC", R"("-1.5")", R"("-1.5")"}, Row{"BIGNUMERIC", R"("3")", R"("3")"},
               Row{"STRING", R"("a\u0000b")", R"("a\u0000b")"}, Row{"BYTES", R"("AAH/")", R"("AAH/")"},
               Row{"DATE", R"("0001-01-01")", R"("0001-01-01")"}, Row{"TIME", R"("12:34:56.789")", R"("12:34:56.789")"},
               Row{"DATETIME", R"("2014-01-31 12:34:56")", R"("2014-01-31 12:34:56")"},
               Row{"TIMESTAMP", R"("1970-01-01 00:00:01+00")", "1000000"},
               Row{"TIMESTAMP", R"("1969-12-31 16:00:00.000001-08")", "1"},
               Row{"INTERVAL", R"("0-1 -3 4:5:6.789")", R"("0-1 -3 4:5:6.789")"},
               Row{"JSON", R"("{\"a\":[1]}")", R"("{\"a\":[1]}")"}, Row{"ARRAY<INT64>", "[]", "[]"},
               Row{"STRUCT<INT64, STRING>", R"([null, "x"])", R"([null,"x"])"}, Row{"DATE", "null", "null"});
  INFO(row.type << " " << row.json);
  CHECK(ThereAndBack(row.type, row.json) == row.back);
}

TEST_CASE("a value that does not match its type is rejected") {
  CHECK(ThereAndBack("INT64", R"("x")") == "error");
  CHECK(ThereAndBack("INT64", "1.5") == "error");
  CHECK(ThereAndBack("BOOL", "1") == "error");
  CHECK(ThereAndBack("DATE", R"("2026-02-30")") == "error");
  CHECK(ThereAndBack("BYTES", R"("*")") == "error");
  CHECK(ThereAndBack("ARRAY<INT64>", "1") == "error");
  CHECK(ThereAndBack("STRUCT<a INT64>", "[1, 2]") == "error");
  CHECK_FALSE(ParseTypeText("INT65").ok());
  CHECK_FALSE(ParseTypeText("INT64) + (1").ok());
}

}  // namespace
}  // namespace logquery::conformance
