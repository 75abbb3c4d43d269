#include "lib/base/json_map.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/status/status.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_parse.h"

namespace logquery::base {
namespace {

Json Parse(std::string_view text) {
  Json parsed;
  JsonTextError error;
  INFO(text);
  REQUIRE(ParseJsonText(text, parsed, error));
  return parsed;
}

TEST_CASE("each value and key has its offset in the text") {
  const std::string text = R"( {"a" : [1, "}],", {"b\"": null}],
 "c": {}, "d": -1.5e3})";
  const Json parsed = Parse(text);
  const JsonMap map(text, parsed);
  CHECK(map.OffsetOf(parsed) == 1);
  CHECK(map.OffsetOfMember(parsed, "a") == text.find("\"a\""));
  CHECK(map.OffsetOf(parsed["a"]) == text.find('['));
  CHECK(map.OffsetOf(parsed["a"][0]) == text.find('1'));
  CHECK(map.OffsetOf(parsed["a"][1]) == text.find("\"}]"));
  CHECK(map.OffsetOf(parsed["a"][2]) == text.find("{\"b"));
  CHECK(map.OffsetOfMember(parsed["a"][2], "b\"") == text.find("\"b"));
  CHECK(map.OffsetOf(parsed["a"][2]["b\""]) == text.find("null"));
  CHECK(map.OffsetOfMember(parsed, "c") == text.find("\"c\""));
  CHECK(map.OffsetOf(parsed["d"]) == text.find("-1.5"));
}

TEST_CASE("a missing member has the offset of its object, and a foreign value offset 0") {
  const std::string text = R"([{}, {"a": 1}])";
  const Json parsed = Parse(text);
  const JsonMap map(text, parsed);
  CHECK(map.OffsetOfMember(parsed[1], "b") == 5);
  CHECK(map.OffsetOfMember(parsed, "b") == 0);
  CHECK(map.OffsetOf(Json(1)) == 0);
}

TEST_CASE("all problems of a document are collected, the first of each field") {
  const std::string text = R"({"rows": "x", "inner": {"flg": true}})";
  const Json parsed = Parse(text);
  absl::Status status;
  JsonProblems problems;
  JsonFields fields(parsed, "", status, &problems);
  fields.Integer("rows", {1, 9});
  fields.Fail("rows", "is wrong again");
  fields.Text("name");
  JsonFields inner = fields.Inner(*fields.Find("inner"), "inner.");
  inner.Flag("flag", false);
  inner.RefuseOthers();
  REQUIRE(problems.all().size() == 3);
  CHECK(problems.all()[0].message == "rows must be a whole number from 1 to 9, is \"x\"");
  CHECK(problems.all()[1].message == "name is missing");
  CHECK(problems.all()[2].message == "inner.flg is not a field; known are flag; did you mean flag?");
  CHECK(problems.all()[2].object == &parsed["inner"]);
  CHECK(std::string(status.message()) == problems.all()[0].message);
}

TEST_CASE("invalid JSON is rejected with the offset of the error") {
  Json parsed;
  JsonTextError error;
  CHECK_FALSE(ParseJsonText("{\"a\": }", parsed, error));
  CHECK(error.syntax);
  CHECK(error.offset == 6);
  CHECK_FALSE(ParseJsonText(R"({"a": 1, "a": 2})", parsed, error));
  CHECK_FALSE(error.syntax);
  CHECK(error.message == "has the key \"a\" twice");
}

}  // namespace
}  // namespace logquery::base
