#include "lib/base/json_find.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/json_text.h"

namespace logquery::base {
namespace {

// The value at the path; "-" when there is none.
std::string Find(std::string_view json, std::string_view path) {
  std::string compact;
  REQUIRE(AppendCompactJson(json, nullptr, compact, JsonEscapes::kNeeded));
  return std::string(FindInCompactJson(compact, *ParseJsonPath(path)).value_or("-"));
}

std::string Elements(std::string_view json) {
  const auto elements = CompactJsonElements(json);
  if (!elements.has_value()) return "-";
  std::string text;
  for (const std::string_view element : *elements) text += std::string(element) + "|";
  return text;
}

TEST_CASE("a path leads to the text of a value") {
  CHECK(Find(R"({"a": {"b": [1.50, "x"]}})", "$.a.b[0]") == "1.50");
  CHECK(Find(R"({"a": {"b": [1.50, "x"]}})", "$.a.b[1]") == "\"x\"");
  CHECK(Find(R"({"a": {"b": [1.50, "x"]}})", "$.a") == R"({"b":[1.50,"x"]})");
  CHECK(Find(" 1e5 ", "$") == "1e5");
  CHECK(Find(R"({"s":"}]\"{","a":2})", "$.a") == "2");
  CHECK(Find(R"({"a":1,"a":2})", "$.a") == "1");
  CHECK(Find("{\"a\\\"b\":3}", "$.\"a\\\"b\"") == "3");
}

TEST_CASE("a path without a value is reported") {
  CHECK(Find("{}", "$.a") == "-");
  CHECK(Find("[]", "$[0]") == "-");
  CHECK(Find("[1,2]", "$[2]") == "-");
  CHECK(Find("[1,2]", "$.a") == "-");
  CHECK(Find("{\"a\":1}", "$[0]") == "-");
  CHECK(Find("\"a\"", "$.a") == "-");
  CHECK(Find("{\"a\":{\"b\":1}}", "$.b") == "-");
  CHECK(Find("[1]", "$[18446744073709551615]") == "-");
}

TEST_CASE("the elements of an array are its parts") {
  CHECK(Elements("[]") == "");
  CHECK(Elements("[1.0,[2,[]],{\"a\":[3]},\"]\",null]") == "1.0|[2,[]]|{\"a\":[3]}|\"]\"|null|");
  CHECK(Elements("{\"a\":1}") == "-");
  CHECK(Elements("1") == "-");
}

TEST_CASE("nesting of any depth is read without recursion") {
  const size_t depth = 100'000;
  const std::string json = std::string(depth, '[') + "1" + std::string(depth, ']');
  CHECK(Find(json, "$[0]").size() == json.size() - 2);
  CHECK(Find("[" + json + ",7]", "$[1]") == "7");
}

}  // namespace
}  // namespace logquery::base
