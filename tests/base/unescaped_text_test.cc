#include "lib/base/unescaped_text.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <utility>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

using Reading = UnescapedText::Reading;

std::string Unescaped(std::string_view text, Reading reading = Reading::kEscapes) {
  const std::optional<UnescapedText> unescaped = UnescapedText::Of(text, reading);
  return unescaped.has_value() ? std::string(unescaped->text()) : "unchanged";
}

TEST_CASE("an unescaped text reads without escapes, and its parts lead back to the original") {
  const std::string text = "?u=x%253Fip%25253D203.0.113.77&v";
  const std::optional<UnescapedText> unescaped = UnescapedText::Of(text, Reading::kEscapes);
  REQUIRE(unescaped.has_value());
  CHECK(unescaped->text() == "?u=x?ip=203.0.113.77&v");
  const TextSpan equals = unescaped->Original({7, 8});
  CHECK(text.substr(equals.begin, equals.end - equals.begin) == "%25253D");
  const TextSpan address = unescaped->Original({8, 20});
  CHECK(text.substr(address.begin, address.end - address.begin) == "203.0.113.77");
  const TextSpan all = unescaped->Original({0, unescaped->text().size()});
  CHECK((all.begin == 0 && all.end == text.size()));
}

TEST_CASE("escapes of URLs, JSON, programs and HTML are undone, also inside one another") {
  const std::pair<const char*, const char*> cases[] = {
      {"%2E%2e%3A", "..:"},
      {"%252E%25252e%2525252525253a", "..:"},
      {"%C3%A4%25C3%25A4", "\u00E4\u00E4"},
      {"\\u002e\\u003A\\u{2e}\\u{0002e}", ".:.."},
      {"\\\\u002e\\\\\\\\u002e", ".."},  // JSON in JSON in JSON
      {"\\x2e\\x2E\\056", "..."},
      {"\\ud835\\udfcf\\\\ud835\\\\udfcf", "\U0001D7CF\U0001D7CF"},
      {"1\\.2\\\\.3", "1.2.3"},  // a pattern
      {"&#46;&#x2e;&#X2E;&#046;&period;&colon;&lsqb;&rbrack;&commat;",
       "....."
       ":[]@"},
      {"&amp;#46;&amp;amp;amp;period;", ".."},
      {"%26%2346%3B%2526%252346%253B", ".."},
      {"\\u0026#46;\\u00252e&#37;2E&percnt;2e&#92;x2e", "....."},
      {"%5Cu002e%5C%5Cu002e", ".."},
      {"%", "unchanged"},
      {"%2", "unchanged"},
      {"%zz &a=b&lt;c\\nd\\\"", "unchanged"},
      {"&#1114112;&#xD800;\\ud835\\u12", "unchanged"},
      {"&period", "unchanged"},
      {"a;b}c", "unchanged"},
      {"", "unchanged"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(Unescaped(text) == expected);
  }
}

TEST_CASE("digits after a percent sign are an escape in one reading, and digits in the other") {
  CHECK(Unescaped("%252010.1.2.3") == " 10.1.2.3");
  CHECK(Unescaped("%2525100.1.2.3") ==
        "\x10"
        "0.1.2.3");
  CHECK(Unescaped("%2525100.1.2.3", Reading::kNumbers) == "%100.1.2.3");
  CHECK(Unescaped("%25%2E%3D", Reading::kNumbers) == "%.=");
  CHECK(UnescapedText::Of("%252E", Reading::kEscapes)->had_percent());
  CHECK_FALSE(UnescapedText::Of("%2E", Reading::kEscapes)->had_percent());
}

std::string HtmlEscape(char c, std::mt19937& random) {
  return random() % 2 == 0 ? StrCat("&#", static_cast<int>(c), ";")
         : c == '.'        ? "&period;"
                           : StrCat("&#", static_cast<int>(c), ";");
}

std::string EscapeOnce(const std::string& text, std::mt19937& random) {
  const auto way = random() % 4;
  std::string out;
  for (const char c : text) {
    const bool is_mark = std::string_view(".:=%&;#\\").find(c) != std::string_view::npos;
    char number[8];
    std::snprintf(number, sizeof(number), "%02x", static_cast<unsigned char>(c));
    if (!is_mark) {
      out += c;
    } else if (way == 0) {
      out += StrCat("%", number);
    } else if (way == 1) {
      out += c == '\\' ? std::string("\\\\") : StrCat("\\u00", number);
    } else if (way == 2) {
      out += StrCat("\\x", number);
    } else {
      out += HtmlEscape(c, random);
    }
  }
  return out;
}

TEST_CASE("text escaped repeatedly, in any order of escapes, is restored") {
  const unsigned seed = 20'261'127;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::string plain = "ip=203.0.113.77";
  for (int round = 0; round < 3'000; ++round) {
    std::string text = plain;
    for (auto i = random() % 4; i > 0; --i) text = EscapeOnce(text, random);
    CAPTURE(text);
    REQUIRE((Unescaped(text) == plain || text == plain));
  }
}

TEST_CASE("parts of an unescaped text map to parts of the original in the same order") {
  const unsigned seed = 20'261'128;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const char* const pieces[] = {"%", "25",  "2E", "\\", "u00", "x2e", "&",  "#46",
                                ";", "amp", "3d", "1",  ".",   "}",   "u{", "%25"};
  for (int round = 0; round < 15'000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 12; i > 0; --i) text += pieces[random() % std::size(pieces)];
    for (const Reading reading : {Reading::kEscapes, Reading::kNumbers}) {
      const std::optional<UnescapedText> unescaped = UnescapedText::Of(text, reading);
      if (!unescaped.has_value()) continue;
      CAPTURE(text);
      size_t before = 0;
      for (size_t i = 0; i < unescaped->text().size(); ++i) {
        const TextSpan part = unescaped->Original({i, i + 1});
        REQUIRE((part.begin == before && part.begin < part.end));
        before = part.end;
      }
      REQUIRE(before == text.size());
    }
  }
}

TEST_CASE("long texts of nothing but escapes take linear time") {
  for (const std::string piece : {"%25", "\\", "&amp;", "\\u005c", "%26amp%3B"}) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += piece;
    CAPTURE(piece);
    CHECK(Unescaped(text + "%2E").size() <= text.size() + 3);
  }
}

}  // namespace
}  // namespace logquery::base
