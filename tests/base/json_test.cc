#include "lib/base/json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"
#include "tests/support/thread_time.h"

namespace logquery::base {
namespace {

TEST_CASE("objects keep the order of their keys") {
  const auto json = ParseJson("x.json", R"({"b": 1, "a": [true, null]})");
  REQUIRE(json.ok());
  CHECK(json->ToString() == R"({"b":1,"a":[true,null]})");
}

TEST_CASE("errors of JSON files name the file, line and column") {
  struct Case {
    const char* text;
    const char* part;  // of the message
  };
  const Case cases[] = {
      {"", "x.json: not JSON at line 1, column 1: "},
      {"{\n  \"a\": 1,\n  b\n}", "x.json: not JSON at line 3, column 3: "},
      {"{\"\xC3\xA4\": x}", "x.json: not JSON at line 1, column 7: "},
      {"{} {}", "not JSON at line 1, column 4: "},
      {"{\"a\": 1, \"b\": {\"a\": 1, \"a\": 2}}", "x.json: the JSON has the key \"a\" twice"},
      {"{\"a\": 1e999}", "x.json: not JSON"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto json = ParseJson("x.json", c.text);
    REQUIRE(json.status().code() == absl::StatusCode::kInvalidArgument);
    CAPTURE(Message(json.status()));
    CHECK(Message(json.status()).find(c.part) != std::string_view::npos);
  }
}

TEST_CASE("the same key in two objects is fine") { CHECK(ParseJson("x", R"([{"a":1},{"a":{"a":2}}])").ok()); }

TEST_CASE("an object with more keys than the limit is rejected, so that lookups stay fast") {
  const auto object = [](int keys) {
    std::string text = "{";
    for (int i = 0; i < keys; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1";
    return text + "}";
  };
  CHECK(ParseJson("x", object(4'000))->size() == 4'000);
  const absl::Status status = ParseJson("x", "[" + object(100'000) + "]").status();
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(status.message() == "x: the JSON has an object of more than 4000 keys");
}

TEST_CASE("deep nesting is rejected and does not crash the program") {
  const std::string open(100'000, '[');
  const std::string close(100'000, ']');
  const auto json = ParseJson("x.json", open + close);
  CHECK(Message(json.status()) == "x.json: the JSON is nested deeper than 200");
}

TEST_CASE("an error in the middle of what is not allowed is the one that is told") {
  CHECK(Message(ParseJson("x.json", "{\"a\": 1, \"a\": [2}").status()).find("not JSON at line 1, column 17") !=
        std::string_view::npos);
}

double SecondsOfArray(std::string_view element, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += StrCat(i == 0 ? "" : ",", element);
  text += "]";
  return testing::ShortestSeconds(3, [&] { REQUIRE(ParseJson("x", text)->size() == static_cast<size_t>(count)); });
}

TEST_CASE("an array takes a time in proportion to its elements, whatever they are") {
  for (const char* element : {"1", "\"a\"", "{}", "[]", "{\"k\":1}", "[{\"k\":[1,{}]},[]]"}) {
    CAPTURE(element);
    // The square would be 256 times as long.
    CHECK(SecondsOfArray(element, 64'000) < 64 * SecondsOfArray(element, 4'000));
  }
}

}  // namespace
}  // namespace logquery::base
