#include "lib/base/folded_text.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "lib/base/utf8.h"
#include "re2/re2.h"

namespace logquery::base {
namespace {

std::string Folded(std::string_view text) {
  const std::optional<FoldedText> folded = FoldedText::Of(text);
  return folded.has_value() ? std::string(folded->text()) : "unchanged";
}

TEST_CASE("a folded text reads in ASCII, and its parts lead back to the original") {
  const std::string text = "ip \uFF11\uFF10%2E0.0.1!";
  const std::optional<FoldedText> folded = FoldedText::Of(text);
  REQUIRE(folded.has_value());
  CHECK(folded->text() == "ip 10.0.0.1!");
  const TextSpan address = folded->Original({3, 11});
  CHECK(text.substr(address.begin, address.end - address.begin) == "\uFF11\uFF10%2E0.0.1");
  const TextSpan dot = folded->Original({5, 6});
  CHECK(text.substr(dot.begin, dot.end - dot.begin) == "%2E");
  const TextSpan all = folded->Original({0, folded->text().size()});
  CHECK((all.begin == 0 && all.end == text.size()));
}

TEST_CASE("escapes and Unicode variants are folded, and other text is unchanged") {
  const std::pair<const char*, const char*> cases[] = {
      {"%3A", ":"},
      {"%3a%2E%2e%5B%5b%5D%5d", ":..[[]]"},
      {"%253A%25252e", ":."},
      {"%%3A", "%:"},
      {"\uFF1A\uFF0E\u3002\uFF61\uFE52\uFE55", ":....:"},
      {"0123456789abcdef\u0660", "0123456789abcdef0"},  // behind a block of bytes, and across two
      {"0123456789abcd\U0001D7FF", "0123456789abcd9"},
      {"\xFF\uFF11\xEF\xBC\uFF12",
       "\xFF"
       "1\xEF\xBC"
       "2"},
      {"", "unchanged"},
      {"10.0.0.1 [::1]", "unchanged"},
      {"%", "unchanged"},
      {"%2", "unchanged"},
      {"%25", "unchanged"},
      {"%252", "unchanged"},
      {"%2F%20%3B%41", "unchanged"},
      {"\u00B2\u2460\u4E00\u2070", "unchanged"},  // superscripts, circled and counting characters are no decimal digits
      {"\xEF\xBC", "unchanged"},
      {"\u00E4\u4E2D\U0001F600", "unchanged"},
  };
  for (const auto& [text, folded] : cases) {
    CAPTURE(text);
    CHECK(Folded(text) == folded);
  }
}

// RE2 has Unicode's tables too, of another version perhaps: whatever it holds to be a digit is one.
TEST_CASE("every decimal digit of Unicode is folded, and nothing else but dots and colons") {
  const RE2 digit("\\p{Nd}");
  int digits = 0;
  for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(c, text);
    const std::string folded = Folded(text);
    const bool is_digit = folded.size() == 1 && folded[0] >= '0' && folded[0] <= '9';
    digits += is_digit ? 1 : 0;
    const bool is_right =
        is_digit || (!RE2::FullMatch(text, digit) && (folded == "unchanged" || folded == "." || folded == ":"));
    if (!is_right) FAIL_CHECK("U+" << std::hex << static_cast<uint32_t>(c) << " is folded to " << folded);
  }
  CHECK(digits == 750);
}

TEST_CASE("a digit has its value in every script") {
  for (const char32_t zero :
       {U'\u0660', U'\u06F0', U'\u0966', U'\uFF10', U'\U0001D7CE', U'\U0001D7F6', U'\U0001FBF0'}) {
    for (char32_t value = 0; value < 10; ++value) {
      std::string text;
      AppendUtf8(zero + value, text);
      CHECK(Folded(text) == std::string(1, static_cast<char>('0' + value)));
    }
  }
}

}  // namespace
}  // namespace logquery::base
