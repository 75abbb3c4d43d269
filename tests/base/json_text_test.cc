#include "lib/base/json_text.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>

namespace logquery::base {
namespace {

// Compact, or "-" when it is no JSON.
std::string Compact(std::string_view text, const Redactor* redactor = nullptr) {
  std::string out;
  return AppendCompactJson(text, redactor, out) ? out : "-";
}

TEST_CASE("white space is removed, and everything else stays as it was written") {
  CHECK(Compact(" { \"b\" : 1 , \"a\" : [ true , null , \"x y\" ] } \n") == R"({"b":1,"a":[true,null,"x y"]})");
}

TEST_CASE("the parts of JSON are visited unescaped, keys apart from values") {
  const auto visited = [](std::string_view json) {
    std::string out;
    VisitJsonParts(json, [&](JsonPart part, std::string_view text) {
      out += (part == JsonPart::kKey ? "k:" : part == JsonPart::kString ? "s:" : "o:") + std::string(text) + "|";
      return text != "stop";
    });
    return out;
  };
  CHECK(visited(R"({"a" : [1, "b", {"c":"\u0064\"\\"}], "e": null})") == "k:a|o:1|s:b|k:c|s:d\"\\|k:e|o:null|");
  CHECK(visited(R"(["\ud83d\ude00","\ud800","\n"])") == "s:\xF0\x9F\x98\x80|s:\xEF\xBF\xBD|s:\n|");
  CHECK(visited(R"([true,-1.50e5,"1",[],{}])") == "o:true|o:-1.50e5|s:1|");
  CHECK(visited(R"(["stop", "x"])") == "s:stop|");
  CHECK(visited("17") == "o:17|");
  // No JSON, but no harm either.
  CHECK(visited(R"(["a)") == "");
  CHECK(visited(R"(["\q\u12","\)") == "s:qu12|");
}

TEST_CASE("valid JSON text passes unchanged") {
  for (const char* text :
       {"null", "true", "false", "0", "-0", "10", "-1.50", "1e5", "1E+05", "0.1e-9", "123456789012345678901234567890",
        "\"\"", "[]", "{}", "[[[]]]", "{\"a\":{\"a\":1,\"a\":2}}", "\"\\u00e4\\ud83d\\ude00\\n\\\"\"", "\"\\ud800\""}) {
    CAPTURE(text);
    CHECK(Compact(text) == text);
  }
}

TEST_CASE("invalid JSON is rejected, and the output is left as it was") {
  for (const char* text :
       {"",          " ",    "nul",       "nulll", "True",  "01",      "1.",        ".5",       "+1",         "-",
        "1e",        "0x1",  "NaN",       "'a'",   "\"a",   "\"\\x\"", "\"\\u12\"", "\"\n\"",   "[",          "]",
        "[1,]",      "[,1]", "[1 2]",     "{",     "}",     "{a:1}",   "{\"a\"}",   "{\"a\":}", "{\"a\":1,}", "{,}",
        "{\"a\" 1}", "[1}",  "{\"a\":1]", "1 2",   "[] []", "/**/1",   "\\",        "\"\\",     "[\"a\": 1]"}) {
    CAPTURE(text);
    std::string out = "before";
    CHECK_FALSE(AppendCompactJson(text, nullptr, out));
    CHECK(out == "before");
  }
  CHECK(Compact(std::string_view("1\0", 2)) == "-");
  CHECK(Compact(std::string_view("\"a\0\"", 4)) == "-");
}

TEST_CASE("invalid UTF-8 is repaired inside a string and rejected outside") {
  CHECK(Compact("\"a\xFF\"") == "\"a\uFFFD\"");
  CHECK(Compact("[\xFF]") == "-");
}

TEST_CASE("strings and keys are redacted by their unescaped text") {
  const Redactor redactor;
  CHECK(Compact(R"({"10.0.0.1": "a 1.2.3.4"})", &redactor) == R"({"REDACTED":"a REDACTED"})");
  CHECK(Compact(R"(["\u0031.2.3.4", "1\u002e2.3.4\n", "x\ty"])", &redactor) == R"(["REDACTED","REDACTED\n","x\ty"])");
  CHECK(Compact(R"(["\ud83d\ude00::1", "\u003a\u003a1", "\ud800"])", &redactor) ==
        "[\"\xF0\x9F\x98\x80REDACTED\",\"REDACTED\",\"\\ud800\"]");
  CHECK(Compact(R"([1.2, 10, {"a": null}])", &redactor) == R"([1.2,10,{"a":null}])");
}

TEST_CASE("deep nesting takes memory but no stack") {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  CHECK(Compact(deep) == deep);
}

TEST_CASE("random texts are accepted exactly when another parser accepts them") {
  const char* const pieces[] = {"{",  "}", "[", "]",  ",",  ":",    "\"a\"", "\"",
                                "\\", "1", "-", ".5", "e1", "true", " ",     "\\u00e4"};
  std::mt19937 random(20'260'131);
  int valid = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 6; i > 0; --i) text += pieces[random() % std::size(pieces)];
    CAPTURE(text);
    const bool expected = nlohmann::json::accept(text);
    REQUIRE((Compact(text) != "-") == expected);
    if (!expected) continue;
    ++valid;
    REQUIRE(nlohmann::ordered_json::parse(Compact(text)) == nlohmann::ordered_json::parse(text));
  }
  CHECK(valid > 1'000);
}

}  // namespace
}  // namespace logquery::base
