#include "lib/base/call_parameters.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::base {
namespace {

TEST_CASE("a query string becomes names and texts in order") {
  const auto texts = ParseQueryString("project=abc&sql=select%201&empty=&bare&caf%C3%A9=x");

  REQUIRE(texts.ok());
  CHECK(*texts == ParameterTexts{{"project", "abc"}, {"sql", "select 1"}, {"empty", ""}, {"bare", ""}, {"café", "x"}});
}

TEST_CASE("a plus is a space, an escaped one a plus") {
  CHECK(*ParseQueryString("a=1+2%2B3") == ParameterTexts{{"a", "1 2+3"}});
}

TEST_CASE("odd but harmless: empty pairs, equals signs in values, UTF-8 as such") {
  CHECK(*ParseQueryString("") == ParameterTexts{});
  CHECK(*ParseQueryString("&&a=b==c&") == ParameterTexts{{"a", "b==c"}});
  CHECK(*ParseQueryString("a=größe") == ParameterTexts{{"a", "größe"}});
}

TEST_CASE("a malformed parameter is an error that names it") {
  struct Case {
    const char* query;
    const char* parameter;
    const char* message;
  };
  const Case cases[] = {
      {"a=%", "a", "% that two hexadecimal digits don't follow"},
      {"a=%4", "a", "% that two hexadecimal digits don't follow"},
      {"a=%zz", "a", "%zz"},
      {"a=%ff", "a", "not UTF-8"},
      {"a=1&b=2&a=1", "a", "parameter a is given twice"},
      {"a=1&%61=2", "a", "given twice"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.query);
    const auto texts = ParseQueryString(c.query);
    REQUIRE(texts.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(GetErrorDetails(texts.status()).parameter == c.parameter);
    CHECK(Message(texts.status()).find(c.message) != std::string::npos);
  }
  CHECK(ParseQueryString("%=1").status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("a JSON body adds its members to the URL's") {
  ParameterTexts texts = {{"project", "abc"}};

  REQUIRE(AddJsonBody(R"({"sql":"select \"x\"","n":5,"f":1.5,"b":true,"none":null,"l":["a,b",2]})", texts).ok());
  CHECK(
      texts ==
      ParameterTexts{
          {"project", "abc"}, {"sql", "select \"x\""}, {"n", "5"}, {"f", "1.5"}, {"b", "true"}, {"l", R"(["a,b",2])"}});
}

TEST_CASE("parameters are counted, in the URL and the body together") {
  std::string query;
  for (int i = 0; i < 1'000; ++i) query += "p" + std::to_string(i) + "=&";
  ParameterTexts texts = *ParseQueryString(query);
  CHECK(texts.size() == kMaxParameters);
  CHECK(ParseQueryString(query + "more=").status().message() == "there are more than 1000 parameters");
  CHECK(AddJsonBody(R"({"more":1})", texts).message() == "there are more than 1000 parameters");
}

TEST_CASE("a body that is not a flat object is rejected") {
  for (const char* body :
       {"[]", "\"x\"", "5", "{", "", "null", R"({"a":{}})", R"({"a":[{}]})", R"({"a":[null]})", R"({"a":[[1]]})",
        R"({"a":1,"a":2})", R"({"project":"other"})", "{\"a\":\"\xff\"}", "{\"a\":1} x"}) {
    CAPTURE(body);
    ParameterTexts texts = {{"project", "abc"}};
    CHECK(AddJsonBody(body, texts).code() == absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace logquery::base
