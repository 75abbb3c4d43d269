#include "lib/base/percent_encoding.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

TEST_CASE("percent-encoding escapes everything but letters, digits and -._~") {
  CHECK(PercentEncode("logs.all") == "logs.all");
  CHECK(PercentEncode("own/{a} b") == "own%2F%7Ba%7D%20b");
  CHECK(PercentEncode("caf\xc3\xa9+%\n") == "caf%C3%A9%2B%25%0A");
  CHECK(PercentEncode("") == "");
  CHECK(PercentEncode("a/b c", [](char c) { return c != ' '; }) == "a/b%20c");
}

TEST_CASE("percent-decoding returns every byte that was encoded") {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  all += "größe €";
  CHECK(*PercentDecode(PercentEncode(all), false) == all);
  CHECK(*PercentDecode(PercentEncode(all), true) == all);
  CHECK(*PercentDecode("%c3%A9", false) == "é");
}

TEST_CASE("a plus is a space in query strings alone") {
  CHECK(*PercentDecode("1+2%2B3", true) == "1 2+3");
  CHECK(*PercentDecode("1+2", false) == "1+2");
}

TEST_CASE("a malformed escape is rejected, and the message quotes it") {
  for (const std::string text : {"%", "a%4", "%zz", "%4g", "%g4", "% 41"}) {
    CAPTURE(text);
    const absl::Status refused = PercentDecode(text, false).status();
    CHECK(absl::IsInvalidArgument(refused));
    CHECK(Message(refused).find(text.substr(text.find('%'), 3)) != std::string_view::npos);
  }
  CHECK(Message(PercentDecode("%ff", false).status()).find("not UTF-8") != std::string_view::npos);
}

}  // namespace
}  // namespace logquery::base
