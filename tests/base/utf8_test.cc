#include "lib/base/utf8.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

namespace logquery::base {
namespace {

std::string Repaired(std::string_view text) {
  std::string out;
  AppendValidUtf8(text, out);
  return out;
}

TEST_CASE("valid text of every length passes as it is") {
  const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z";  // a ä € 😀 z
  CHECK(IsValidUtf8(text));
  CHECK(CountCodePoints(text) == 5);
  CHECK(Repaired(text) == text);
  CHECK(DecodeUtf8(text, 1).value == 0xE4);
  CHECK(DecodeUtf8(text, 3).value == 0x20AC);
  CHECK(DecodeUtf8(text, 6).value == 0x1F600);
}

// The replacements are those of the Unicode standard's section 3.9: one for each maximal subpart.
TEST_CASE("broken text is found and repaired") {
  struct Case {
    const char* text;
    const char* repaired;
  };
  const Case cases[] = {
      {"\x80", "\uFFFD"},  // a continuation alone
      {"\xFF", "\uFFFD"},
      {"\xC0\x80", "\uFFFD\uFFFD"},  // overlong NUL
      {"\xC1\xBF", "\uFFFD\uFFFD"},
      {"\xE0\x9F\xBF", "\uFFFD\uFFFD\uFFFD"},            // overlong
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // a surrogate
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // above U+10FFFF
      {"\xF5\x80", "\uFFFD\uFFFD"},
      {"\xE2\x82", "\uFFFD"},  // cut at the end
      {"\xF0\x9F\x98", "\uFFFD"},
      {"\xE2\x82"
       "A",
       "\uFFFD"
       "A"},  // cut in the middle
      {"\xF0\x9F\x98\xC3\xA4", "\uFFFD\u00E4"},
      {"abcdefgh\xFFij", "abcdefgh\uFFFDij"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.repaired);
    CHECK_FALSE(IsValidUtf8(c.text));
    CHECK(Repaired(c.text) == c.repaired);
  }
}

TEST_CASE("the ends of the ranges are valid") {
  for (const char32_t point : {0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF}) {
    std::string text;
    AppendUtf8(point, text);
    CAPTURE(static_cast<uint32_t>(point));
    CHECK(IsValidUtf8(text));
    CHECK(DecodeUtf8(text, 0).value == point);
    CHECK(DecodeUtf8(text, 0).bytes == static_cast<int>(text.size()));
  }
}

TEST_CASE("repaired text is valid, whatever it was; valid text is not touched") {
  std::mt19937 random(20'260'131);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t i = random() % 24; i > 0; --i) {
      // Mostly bytes that mean something in UTF-8.
      const unsigned char bytes[] = {'a', 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0x90, 0x9F};
      text += static_cast<char>(random() % 8 == 0 ? random() : bytes[random() % sizeof(bytes)]);
    }
    const std::string repaired = Repaired(text);
    REQUIRE(IsValidUtf8(repaired));
    REQUIRE(IsValidUtf8(text) == (repaired == text));
    REQUIRE(CountCodePoints(text) == CountCodePoints(repaired));
  }
}

}  // namespace
}  // namespace logquery::base
