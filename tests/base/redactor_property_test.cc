// The scanner against a reference that says what an address is, and tries every part of the text.
#include <arpa/inet.h>

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <random>
#include <regex>

#include "lib/base/address_scanner.h"
#include "lib/base/folded_text.h"
#include "lib/base/utf8.h"
#include "logquery/redactor.h"

namespace logquery {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Octets with any number of leading zeros.
bool IsV4Form(const std::string& text) {
  static const std::regex form(R"(0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3}))");
  std::smatch octets;
  if (!std::regex_match(text, octets, form)) return false;
  for (size_t i = 1; i <= 4; ++i) {
    if (std::stoi(octets[i]) > 255) return false;
  }
  return true;
}

bool IsV6Form(std::string text) {
  // inet_pton takes no leading zeros in the IPv4 part, which here may have them.
  static const std::regex leading(R"((:|\.)0+(\d+)(?=\.|$))");
  if (text.find('.') != std::string::npos) {
    std::string before;
    while (before != text) {
      before = text;
      const size_t tail = text.rfind(':');
      if (tail == std::string::npos) break;
      text = text.substr(0, tail) + std::regex_replace(text.substr(tail), leading, "$1$2");
    }
  }
  in6_addr address;
  return text != "::" && inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

class Reference {
 public:
  explicit Reference(std::string text) : text_(std::move(text)) {}

  // Leftmost, then longest; IPv6 before IPv4, which may be a part of it.
  std::string Redact() const {
    std::string redacted;
    size_t done = 0;
    for (size_t i = 0; i < text_.size();) {
      const std::optional<size_t> end = LongestAt(i, done);
      if (!end.has_value()) {
        ++i;
        continue;
      }
      redacted += text_.substr(done, i - done) + "REDACTED";
      done = i = *end;
    }
    return redacted + text_.substr(done);
  }

 private:
  std::optional<size_t> LongestAt(size_t begin, size_t done) const {
    for (size_t end = text_.size(); end > begin; --end) {
      if (IsV6At(begin, end, done)) return WithZone(end);
      if (IsV4At(begin, end)) return end;
    }
    return std::nullopt;
  }

  bool WordDirectlyBefore(size_t i) const { return i > 0 && IsWord(text_[i - 1]); }
  bool WordDirectlyAfter(size_t i) const { return i < text_.size() && IsWord(text_[i]); }

  bool IsV4At(size_t begin, size_t end) const {
    if (WordDirectlyBefore(begin) || WordDirectlyAfter(end)) return false;
    if (begin >= 2 && text_[begin - 1] == '.' && IsDigit(text_[begin - 2])) return false;
    if (end + 1 < text_.size() && text_[end] == '.' && IsDigit(text_[end + 1])) return false;
    return IsV4Form(text_.substr(begin, end - begin));
  }

  // Returns whether the word is a group of an IPv6 address.
  static bool IsGroup(const std::string& word) {
    static const std::regex form("[0-9a-fA-F]{1,4}");
    return std::regex_match(word, form);
  }

  bool GroupBefore(size_t i, size_t done) const {
    while (i > done && text_[i - 1] == ':') --i;
    size_t word = i;
    while (word > done && IsWord(text_[word - 1])) --word;
    return IsGroup(text_.substr(word, i - word));
  }

  bool GroupAfter(size_t i) const {
    while (i < text_.size() && text_[i] == ':') ++i;
    size_t word = i;
    while (word < text_.size() && IsWord(text_[word])) ++word;
    return IsGroup(text_.substr(i, word - i));
  }

  bool IsV6At(size_t begin, size_t end, size_t done) const {
    if (WordDirectlyBefore(begin) || WordDirectlyAfter(end)) return false;
    const std::string part = text_.substr(begin, end - begin);
    const size_t tail = part.find('.') == std::string::npos ? std::string::npos : part.rfind(':');
    if (tail != std::string::npos && !IsV4At(begin + tail + 1, end)) return false;
    if (begin > 0 && text_[begin - 1] == ':' && GroupBefore(begin, done)) return false;
    if (tail == std::string::npos) {
      if (end < text_.size() && text_[end] == ':' && GroupAfter(end) && !IsFullWithPort(part, end)) return false;
      // The part must not end with the first octet of an IPv4 address.
      const size_t last = part.rfind(':') == std::string::npos ? 0 : part.rfind(':') + 1;
      for (size_t v4_end = end + 1; v4_end <= text_.size(); ++v4_end) {
        if (IsV4At(begin + last, v4_end)) return false;
      }
    }
    return IsV6Form(part);
  }

  // Returns whether the address `part` is full, has a group of three digits, and a last word of decimal digits goes on with it.
  bool IsFullWithPort(const std::string& part, size_t end) const {
    static const std::regex full("([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}");
    static const std::regex long_group("[0-9a-fA-F]{3}");
    static const std::regex port("^:[0-9]{1,4}(?![A-Za-z0-9_])");
    std::smatch found;
    const std::string rest = text_.substr(end);
    if (!std::regex_match(part, full) || !std::regex_search(part, long_group)) return false;
    if (!std::regex_search(rest, found, port)) return false;
    const size_t behind = end + static_cast<size_t>(found.length());
    return behind >= text_.size() || text_[behind] != ':' || !GroupAfter(behind);
  }

  size_t WithZone(size_t end) const {
    static const std::regex zone("^%([A-Za-z0-9_.~-]*[A-Za-z0-9_])");
    std::smatch found;
    const std::string rest = text_.substr(end);
    return std::regex_search(rest, found, zone) ? end + static_cast<size_t>(found.length()) : end;
  }

  std::string text_;
};

TEST_CASE("the reference knows addresses") {
  CHECK(Reference("from 10.1.2.3 to fe80::1%eth0.").Redact() == "from REDACTED to REDACTED.");
  CHECK(Reference("1:2:3:4:5:6:7:8:9 ::ffff:1.2.3.4").Redact() == "1:2:3:4:5:6:7:8:9 REDACTED");
}

// Pieces that addresses, and what only looks like them, are made of. No '%' and backslash: the reference has no escapes.
TEST_CASE("the scanner finds the same addresses as the reference") {
  const char* const pieces[] = {":",           ":",   "::",      "1",     "2", "255", "256", "0",   "00",      ".", ".",
                                "1.2.",        "3.4", "1.2.3.4", "fe80",  "a", "f",   "g",   "x_",  " ",       "-", "/",
                                "1:2:3:4:5:6", "7:8", "std",     "12345", "[", "]",   "::1", "1::", "\xC3\xA4"};
  std::mt19937 random(20'260'131);
  const Redactor redactor;
  for (int round = 0; round < 60'000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 9; i > 0; --i) text += pieces[random() % std::size(pieces)];
    CAPTURE(text);
    const std::string redacted = redactor.Redact(text);
    REQUIRE(redacted == Reference(text).Redact());
    REQUIRE(redactor.Matches(text) == (redacted != text));
  }
}

// A text written another way, and the text that it reads as.
struct Disguised {
  std::string plain;
  std::string written;
};

void AddDisguised(char c, std::mt19937& random, Disguised& text) {
  constexpr const char* kDots[] = {".", "%2E", "%2e", "%252E", "\uFF0E", "\u3002", "\uFF61", "\uFE52"};
  constexpr const char* kColons[] = {":", "%3A", "%3a", "%253A", "%25253a", "\uFF1A", "\uFE55"};
  constexpr const char* kOpen[] = {"[", "%5B", "%5b"};
  constexpr const char* kClose[] = {"]", "%5D", "%255d"};
  constexpr char32_t kDigits[] = {'0', '0', 0x660, 0x966, 0xFF10, 0x1D7CE, 0x1D7F6, 0x1FBF0};
  text.plain += c;
  if (c == '.') {
    text.written += kDots[random() % std::size(kDots)];
  } else if (c == ':') {
    text.written += kColons[random() % std::size(kColons)];
  } else if (c == '[' || c == ']') {
    static_assert(std::size(kOpen) == std::size(kClose));
    const size_t which = random() % std::size(kOpen);
    text.written += c == '[' ? kOpen[which] : kClose[which];
  } else if (IsDigit(c)) {
    base::AppendUtf8(kDigits[random() % std::size(kDigits)] + static_cast<char32_t>(c - '0'), text.written);
  } else {
    text.written += c;
  }
}

// Uses the same pieces. Matches are those in the text as it reads, and the rest stays as it was written.
TEST_CASE("an address is found however its digits, dots, colons and brackets are written") {
  const char* const pieces[] = {":",    "::",  "1",       "2",       "255",         "256", "0",  ".",
                                "1.2.", "3.4", "1.2.3.4", "f8",      "fe80",        "g",   "x_", " ",
                                "/",    "::1", "1::",     "[::1]:8", "1:2:3:4:5:6", "7:8"};
  std::mt19937 random(20'260'505);
  const Redactor redactor;
  int found = 0;
  for (int round = 0; round < 60'000; ++round) {
    Disguised text;
    for (size_t i = 1 + random() % 9; i > 0; --i) {
      for (const char* c = pieces[random() % std::size(pieces)]; *c != '\0'; ++c) AddDisguised(*c, random, text);
    }
    CAPTURE(text.plain, text.written);
    const std::string redacted = redactor.Redact(text.written);
    const std::optional<base::FoldedText> read = base::FoldedText::Of(redacted);
    const std::string expected = Reference(text.plain).Redact();
    REQUIRE((read.has_value() ? read->text() : std::string_view(redacted)) == expected);
    REQUIRE(redactor.Matches(text.written) == (expected != text.plain));
    if (expected == text.plain) REQUIRE(redacted == text.written);
    found += expected != text.plain ? 1 : 0;
  }
  CHECK(found > 5'000);
}

// With escapes too: what an escape ends with stands directly before an address, and is no part of it.
TEST_CASE("the cheap check never misses an address") {
  const char* const pieces[] = {":",     ":",     "::",        ":",     "1",     "2.",      "3.4",   "1.2.3.4", ".",
                                "0001.", "fe80",  "a",         "F",     "\\n",   "\\u0022", "%2F",   "g",       " ",
                                "x_",    "12345", "1:2:3",     "4:5",   "::1",   "1::",     "%eth0", "\\t::",   "[",
                                "1.2.",  "7",     "\\nfe80::", "\x1B[", "1;31m", "abc:",    "2K",    "\x1B(B",  "[31m"};
  std::mt19937 random(20'260'314);
  int found = 0;
  for (int round = 0; round < 300'000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 14; i > 0; --i) text += pieces[random() % std::size(pieces)];
    if (!base::AddressScanner(text).Next().has_value()) continue;
    ++found;
    CAPTURE(text);
    REQUIRE(base::AddressScanner::MayHoldOne(text));
  }
  CHECK(found > 10'000);
}

}  // namespace
}  // namespace logquery
