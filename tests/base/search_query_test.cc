#include "lib/base/search_query.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/log_tokens.h"

namespace logquery::base {
namespace {

bool Matches(std::string_view query, std::string_view text, SearchAnalyzer analyzer = SearchAnalyzer::kLog) {
  const absl::StatusOr<SearchQuery> parsed = SearchQuery::Parse(query, analyzer);
  INFO(query << ": " << parsed.status().ToString());
  REQUIRE(parsed.ok());
  return parsed->Matches(text);
}

struct Case {
  const char* text;
  const char* query;
  bool matches;
};

void Check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    INFO(each.text << " | " << each.query);
    CHECK(Matches(each.query, each.text) == each.matches);
  }
}

std::vector<std::string> TokensOf(std::string_view text) {
  std::vector<std::string> tokens;
  TokenReader reader(text);
  for (std::string_view token; reader.Next(token);) tokens.emplace_back(token);
  return tokens;
}

using Tokens = std::vector<std::string>;

TEST_CASE("a log's text is split at punctuation, white space and their percent-encoded forms") {
  CHECK(TokensOf("GET /api/v1?x=10.0.0.1") == Tokens{"GET", "api", "v1", "x", "10", "0", "0", "1"});
  CHECK(TokensOf("a%20b%3Bc%3bd%2520e%2526f") == Tokens{"a", "b", "c", "d", "e", "f"});
  CHECK(TokensOf("50%off %2x%") == Tokens{"50", "off", "2x"});
  CHECK(TokensOf("grün`rot`") == Tokens{"grün`rot`"});
  CHECK(TokensOf(" ..\t\n") == Tokens{});
  CHECK(TokensOf("") == Tokens{});
}

TEST_CASE("a plain term matches where all of its tokens are in the text, in any case and order") {
  Check({{"Connection reset by 10.0.0.1", "reset", true},
         {"Connection reset by 10.0.0.1", "RESET connection", true},
         {"Connection reset by 10.0.0.1", "reset timeout", false},
         {"Connection reset", "conn", false},
         {"foo-bar", R"(foo\-bar)", true},
         {"bar=foo", R"(foo\&bar)", true},
         {"127.0.0.1", "1.127", true},
         {"user@example.com", "example.com", true},
         {"a `b` c", R"(\`b\`)", true},
         {"", "a", false},
         {"ÉCOLE", "école", false},
         {"a b", R"(\- a)", true}});
}

TEST_CASE("AND and spaces bind closer than OR, and parentheses group") {
  Check({{"foo bar baz", "foo AND bar", true},
         {"foo", "foo AND bar", false},
         {"foo", "foo OR bar", true},
         {"baz", "foo bar OR baz", true},
         {"foo", "foo bar OR baz", false},
         {"foo", "foo AND (bar OR baz)", false},
         {"foo baz", "foo AND (bar OR baz)", true},
         {"foo baz", "(foo) (bar OR (baz))", true},
         {"and or", "and or", true},
         {"android", "ANDroid", true}});
}

TEST_CASE("a term in double quotes wants its tokens next to each other, in their order") {
  Check({{"foo baz.bar", "\"foo bar\"", false},
         {"foo baz.bar", "\"Foo baz\"", true},
         {"foo-bar baz", "\"foo&bar\"", true},
         {"foo-bar-baz", "bar \"foo&baz\"", false},
         {"bar foo", "\"foo bar\"", false},
         {"foo bar", "\"`foo bar`\"", false},
         {"a a b", "\"a b\"", true},
         {"a b a b c", "\"a b c\"", true},
         {"say foo now", R"("say \"foo\"")", true},
         {"foo", "\"foo\"", true},
         {"foo bar", R"("foo\ bar")", true}});
}

TEST_CASE("a term in backticks is found as it is written, between delimiters") {
  Check({{"foobar&example", "`foobar&example`", true},
         {"foobar-example", "`foobar&example`", false},
         {"foobar-example", "`Foobar`", false},
         {"`foobar-example`", "`foobar-example`", false},
         {"foobar@example.com", "`example.com`", true},
         {"a foobar-example b", "`foobar-example`", true},
         {"foo.bar", "`foo.`", false},
         {"foo..bar", "`foo.`", true},
         {"xfoo foo", "`foo`", true},
         {"xfoo foox", "`foo`", false},
         {"a%20foo%20b", "`foo`", true},
         {"GET /v1/x took 10.0.0.1", "`10.0.0.1` `/v1/x`", true},
         {"foobar=", R"(`foobar\=`)", false},
         {"a`b", R"(`a\`b`)", true},
         {"AND", "`AND`", true}});
}

TEST_CASE("without an analyzer a text matches where it equals the query") {
  CHECK(Matches("Foo (bar", "Foo (bar", SearchAnalyzer::kNoOp));
  CHECK_FALSE(Matches("foo", "Foo", SearchAnalyzer::kNoOp));
  CHECK(Matches("", "", SearchAnalyzer::kNoOp));
}

TEST_CASE("a search query that breaks the rules is an error that says where") {
  struct Bad {
    std::string query;
    const char* words;
  };
  std::string many;
  for (size_t i = 0; i <= kMaxSearchTerms; ++i) many += "a ";
  const std::vector<Bad> cases = {
      {"", "there is no word to search for"},
      {" \n", "there is no word to search for"},
      {"\\-", "there is no word to search for"},
      {"a OR", "a term is missing, at offset 4"},
      {"a AND OR b", "OR is a reserved word; put it in backticks to search for it, at offset 6"},
      {"NOT a", "NOT is a reserved word"},
      {"foo-bar", "the character - is reserved; write \\-, or put the text in backticks, at offset 3"},
      {"a\\b", "a backslash stands before no reserved character, at offset 1"},
      {"a\\", "a backslash stands before no reserved character, at offset 1"},
      {"a `b", "a ` is not closed, at offset 2"},
      {"\"b", "a \" is not closed, at offset 0"},
      {"``", "the quotes hold nothing, at offset 0"},
      {"(a", "a ( is not closed, at offset 0"},
      {"a)", "a ) closes nothing, at offset 1"},
      {"()", "a term is missing, at offset 1"},
      {"a(b)", "expected a space between two terms, at offset 1"},
      {"a`b`", "expected a space between two terms, at offset 1"},
      {many, "at most 100 terms"},
      {std::string(51, '(') + "a" + std::string(51, ')'), "nest at most 50 deep"},
      {std::string(kMaxSearchQueryBytes + 1, 'a'), "at most 10000 bytes"},
  };
  for (const Bad& bad : cases) {
    INFO(bad.query);
    const absl::Status status = SearchQuery::Parse(bad.query, SearchAnalyzer::kLog).status();
    INFO(status.ToString());
    CHECK(absl::IsInvalidArgument(status));
    CHECK(std::string(status.message()).find(bad.words) != std::string::npos);
  }
}

TEST_CASE("repeated texts and queries are searched in linear time") {
  const std::string text = [] {
    std::string repeated;
    for (int i = 0; i < 200'000; ++i) repeated += "a ";
    return repeated;
  }();
  std::string phrase = "\"", exact = "`";
  for (int i = 0; i < 4'000; ++i) {
    phrase += "a ";
    exact += "a ";
  }
  CHECK_FALSE(Matches(phrase + "b\"", text + "bx"));
  CHECK(Matches(phrase + "b\"", text + "b"));
  CHECK_FALSE(Matches(exact + "b`", text + "bx"));
  CHECK(Matches(exact + "b`", text + "b"));
}

}  // namespace
}  // namespace logquery::base
