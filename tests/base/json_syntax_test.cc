#include "lib/base/json_syntax.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "nlohmann/json.hpp"

namespace logquery::base {
namespace {

TEST_CASE("common mistakes in JSON have a plain message at the place to change") {
  struct Case {
    const char* text;
    size_t offset;
    const char* message;
  };
  const Case cases[] = {
      {R"({"a": 1,})", 7, "there must not be a comma after the last member of an object"},
      {"{\"a\": [1, 2,\n]}", 11, "there must not be a comma after the last element of a list"},
      {R"({"a": 1 "b": 2})", 8, "a comma is missing before this member"},
      {R"(["a" "b"])", 5, "a comma is missing before this element"},
      {R"({'a': 1})", 1, "a member's name must be in double quotes"},
      {R"({a: 1})", 1, "a member's name must be in double quotes"},
      {R"({"a": 'b'})", 6, "a text must be in double quotes, not in single ones"},
      {R"({"a": b})", 6, "a text such as \"b\" must be in double quotes"},
      {R"({"a": True})", 6, "True must be written true"},
      {R"({"a": None})", 6, "None must be written null"},
      {R"({"a": NaN})", 6, "JSON has no number NaN"},
      {R"({"a" = 1})", 5, "there must be a colon after the name \"a\", not ="},
      {R"({"a" 1})", 5, "there must be a colon after the name \"a\""},
      {R"({1: 2})", 1, "a member must begin with its name in double quotes"},
      {R"({,})", 1, "there is no member before this comma"},
      {R"([,])", 1, "there is no value before this comma"},
      {R"([1,,2])", 3, "there is no value before this comma"},
      {R"({"a":})", 5, "there is no value before this }"},
      {"{\"a\": {\"b\": 1}", 14, "the text ends, but the { of line 1, column 1 is not closed"},
      {"[1,\n {\"a\": 2]", 12, "this ] does not close the { of line 2, column 2"},
      {"{} {}", 3, "more text follows the end of the JSON value"},
      {"", 0, "there is no JSON value"},
      {" \n", 2, "there is no JSON value"},
      {"{\"a\": \"b", 6, "the closing quote of this text is missing"},
      {"{\"a\": \"b\n\"}", 6, "the closing quote of this text is missing on its line; write a line break as \\n"},
      {"[\"a\tb\"]", 3, "a tab in a text must be written as \\t"},
      {"[\"a\x01\"]", 3, "a text must not contain control characters; write them as \\u and four digits"},
      {R"(["\d+"])", 2, "\\d is no escape; write a backslash as \\\\"},
      {R"(["\u12"])", 2, "\\u must be followed by four hexadecimal digits"},
      {R"(["\ud800"])", 2, "\\ud800 is half of a character; its other half is missing"},
      {"[\"\xFF\"]", 1, "this text is not valid UTF-8"},
      {"[+1]", 1, "a number must not begin with +"},
      {"[.5]", 1, "a number must have a digit before its point"},
      {"[01]", 1, "a number must not begin with 0"},
      {"[1.]", 3, "a digit is missing after the point of a number"},
      {"[1e]", 3, "a digit is missing after the exponent of a number"},
      {"[-]", 2, "a digit is missing after the - of a number"},
      {"{\"a\": 1 // one\n}", 8, "JSON has no comments"},
      {"[\"a\": 1]", 4, "a list has no names; members with names are in { }"},
      {"[\xC3\xA4]", 1, "there must be a value in the place of \"\xC3\xA4\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::optional<JsonSyntaxError> error = FindJsonSyntaxError(c.text);
    REQUIRE(error.has_value());
    CHECK(error->message == c.message);
    CHECK(error->offset == c.offset);
  }
}

TEST_CASE("valid JSON has no syntax error") {
  for (const char* text : {"{}", "[]", " [1, -0.5e+3, 0, 1E9, true, false, null, \"\\u00e4\\ud83d\\ude00\\\\\\/\"] ",
                           "\xEF\xBB\xBF{}", "7", "\"\xC3\xA4\"", "{\"a\":{\"b\":[{}]},\"\":1}", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(FindJsonSyntaxError(text).has_value());
  }
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  CHECK_FALSE(FindJsonSyntaxError(deep).has_value());
  CHECK(FindJsonSyntaxError(deep.substr(0, deep.size() - 1))->offset == deep.size() - 1);
}

// Both take and refuse the same texts; otherwise people would read the library's words, or no word where there is an error.
TEST_CASE("randomly mutated texts are rejected exactly when the JSON library rejects them") {
  const std::string seeds[] = {
      R"({"name": "logs.all", "max_rows": 1000, "limits": {"a": [1, -2.5e3, true, null]}, "t": "\u00e4\n"})",
      R"([{"a": "b"}, [], {}, "\ud83d\ude00", 0.1, false])"};
  const std::string alphabet = "{}[],:\"'\\ \n\tau01.-+eEtrunlfs/\x80\xC3\xA4";
  const uint32_t seed = 20'260'115;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&random](size_t bound) { return static_cast<size_t>(random()) % bound; };
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[below(2)];
    for (size_t changes = 1 + below(3); changes > 0; --changes) {
      const size_t at = below(text.size());
      const char c = alphabet[below(alphabet.size())];
      if (const size_t kind = below(3); kind == 0) {
        text[at] = c;
      } else if (kind == 1) {
        text.insert(at, 1, c);
      } else {
        text.erase(at, 1);
      }
    }
    CAPTURE(text);
    const bool accepted = nlohmann::json::accept(text);
    const bool ours = !FindJsonSyntaxError(text).has_value();
    if (accepted != ours) CHECK(accepted == ours);
    refused += ours ? 0 : 1;
  }
  CHECK(refused > 5'000);
}

TEST_CASE("an error in hand-written text shows the line with a caret, and other errors do not") {
  const std::string text = "{\n  \"a\": 1,\n  \"b\": \xC3\xA4\n}";
  const absl::Status written = ParseWrittenJson("x.json", text).status();
  CHECK(Message(written) == "x.json: not JSON at line 3, column 8: there must be a value in the place of \"\xC3\xA4\"");
  const ErrorDetails details = GetErrorDetails(written);
  CHECK(details.line == 3);
  CHECK(details.column == 8);
  CHECK(details.snippet == "  \"b\": \xC3\xA4\n       ^");
  CHECK(GetErrorDetails(ParseJson("x.json", text).status()).snippet.empty());
  CHECK(ParseWrittenJson("x.json", "{}").ok());
  CHECK(GetErrorDetails(ParseWrittenJson("x.json", "{\"a\":1,\"a\":2}").status()).snippet.empty());
}

}  // namespace
}  // namespace logquery::base
