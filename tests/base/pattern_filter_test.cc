#include "lib/base/pattern_filter.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "re2/re2.h"

namespace logquery::base {
namespace {

using Numbers = std::vector<size_t>;

TEST_CASE("texts without a pattern's required literals are skipped") {
  const PatternFilter filter({"\\bcus_[A-Za-z0-9]+"});
  CHECK(filter.MayMatch("GET /rest/v1/todos").empty());
  CHECK(filter.MayMatch("").empty());
  CHECK(filter.MayMatch("customer_name").empty());
  CHECK(filter.MayMatch("paid by cus_9f3") == Numbers{0});
  CHECK(filter.MayMatch("cus_") == Numbers{0});
}

TEST_CASE("a pattern without required literals is checked everywhere, the others are still filtered") {
  const PatternFilter filter({"[0-9]{16}", "token=[a-f0-9]+", "x"});
  CHECK(filter.MayMatch("GET /rest/v1/todos") == Numbers{0, 2});
  CHECK(filter.MayMatch("?token=12") == Numbers{0, 1, 2});
  CHECK(PatternFilter({}).MayMatch("GET /rest/v1/todos").empty());
}

TEST_CASE("the filter ignores case, and non-ASCII letters cause no false negatives") {
  const PatternFilter filter({"(?i)secret_key"});
  CHECK(filter.MayMatch("SECRET_KEY") == Numbers{0});
  CHECK(filter.MayMatch("secret key").empty());
  // The sign of Kelvin is a k, and the long s an s, where case does not matter.
  const std::string kelvin =
      "secret_\xE2\x84\xAA"
      "ey";
  const std::string long_s =
      "\xC5\xBF"
      "ecret_key";
  for (const std::string& text : {kelvin, long_s}) {
    REQUIRE(RE2::PartialMatch(text, "(?i)secret_key"));
    CHECK(filter.MayMatch(text) == Numbers{0});
  }
  CHECK(PatternFilter({"\xC3\x84rger"}).MayMatch("plain") == Numbers{0});
}

TEST_CASE("every one of many patterns is checked") {
  std::vector<std::string> patterns;
  for (int i = 0; i < 20; ++i) patterns.push_back("secret" + std::to_string(i) + "_[a-z]+");
  CHECK(PatternFilter(patterns).MayMatch("plain").size() == 20);
}

TEST_CASE("the filter never excludes a match, for random patterns and texts") {
  const char* const atoms[] = {"cus_",     "(?i:Key)",  "ab",      "[a-c]b",     "\\bab",   "(ab|cu)",
                               "(?:ab)?c", "s+_",       "[^a-z]k", "k{2}",       "(?i)kus", "\xC3\xA4",
                               ".",        "\\d",       "a|kk",    "(a|b)(c|_)", "^cus",    "key$",
                               "(?i)s_",   "[Kk][Ee]y", "\\x41b",  "(?s:.)b",    "(|cus)_", "[\xC3\xA4s]_"};
  const char* const pieces[] = {"cus_",
                                "CUS_",
                                "key",
                                "Key",
                                "KEY",
                                "ab",
                                "aB",
                                "b",
                                "c",
                                "k",
                                "kk",
                                "s",
                                "S",
                                "_",
                                " ",
                                "1",
                                "\n",
                                "Ab",
                                "us",
                                "\xC3\xA4",
                                "\xE2\x84\xAA"
                                "ey",
                                "\xC5\xBF_",
                                "\xff"};
  std::mt19937 random(20'260'131);
  int matched = 0;
  int spared = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::string> patterns(1 + random() % 4);
    for (std::string& pattern : patterns) {
      for (size_t i = 1 + random() % 3; i > 0; --i) pattern += atoms[random() % std::size(atoms)];
      REQUIRE(RE2(pattern).ok());
    }
    const PatternFilter filter(patterns);
    for (int t = 0; t < 20; ++t) {
      std::string text;
      for (size_t i = random() % 6; i > 0; --i) text += pieces[random() % std::size(pieces)];
      const Numbers& may = filter.MayMatch(text);
      for (size_t i = 0; i < patterns.size(); ++i) {
        const bool looked_at = std::find(may.begin(), may.end(), i) != may.end();
        if (RE2::PartialMatch(text, patterns[i])) {
          CAPTURE(patterns[i], text);
          REQUIRE(looked_at);
          ++matched;
        } else if (!looked_at) {
          ++spared;
        }
      }
    }
  }
  CHECK(matched > 10'000);
  CHECK(spared > 10'000);
}

}  // namespace
}  // namespace logquery::base
