#include "lib/base/json_place.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace logquery::base {
namespace {

std::string PlaceOf(std::string_view json, std::string_view key) { return PlaceInText(json, OffsetOfKey(json, key)); }

TEST_CASE("a member's place is that of its key") {
  CHECK(PlaceOf("{\n  \"a\": 1,\n  \"b\": 2\n}", "b") == "line 3, column 3");
  CHECK(PlaceOf("{\"a\": 1, \"b\": 2}", "a") == "line 1, column 2");
}

TEST_CASE("only members of the object itself count, whatever strings and nested objects hold") {
  CHECK(PlaceOf(R"({"x": {"b": 1}, "b": 2})", "b") == "line 1, column 17");
  CHECK(PlaceOf(R"({"x": "b", "b": 2})", "b") == "line 1, column 12");
  CHECK(PlaceOf(R"({"x": ["b", {"b": 1}], "b": 2})", "b") == "line 1, column 24");
  CHECK(PlaceOf(R"({"x": "\"b\": {[", "b" : 2})", "b") == "line 1, column 20");
  CHECK(PlaceOf(R"({"\u0062": 2})", "b") == "line 1, column 2");
  CHECK(PlaceOf("{\"é\": 1, \"b\": 2}", "b") == "line 1, column 10");
}

TEST_CASE("a missing member has the position of its object, and truncated text has a position too") {
  CHECK(PlaceOf("\n {\"a\": 1}", "b") == "line 2, column 2");
  CHECK(PlaceOf("", "b") == "line 1, column 1");
  CHECK(PlaceOf("{\"b", "b") == "line 1, column 1");
  CHECK(PlaceOf("{\"b\\", "b") == "line 1, column 1");
  CHECK(PlaceInText("ab\nc", 99) == "line 2, column 2");
}

}  // namespace
}  // namespace logquery::base
