// Copies the text, and looks after each character whether the copy now ends with an escape. If so, its character takes
// its place, with which another escape may end. Each replacement makes the copy shorter, and an escape has a limited
// length, so all of it takes linear time.
#include "lib/base/unescaped_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lib/base/byte_block.h"
#include "lib/base/hex_digit.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

// An escape that is longer is not one.
constexpr size_t kLongestEscape = 12;

struct Escape {
  size_t bytes = 0;  // 0: there is none
  std::string character;
  bool is_percent = false;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The value of digits to a base of 8, 10 or 16; nullopt: there are none, others, or too many for a character.
std::optional<uint32_t> NumberOf(std::string_view digits, int base) {
  if (digits.empty()) return std::nullopt;
  uint32_t value = 0;
  for (const char c : digits) {
    const int digit = HexDigitValue(c);
    if (digit < 0 || digit >= base) return std::nullopt;
    value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
    if (value > 0x10FFFF) return std::nullopt;
  }
  return value;
}

std::optional<std::string> CharacterOf(std::optional<uint32_t> number) {
  if (!number || (*number >= 0xD800 && *number < 0xE000)) return std::nullopt;
  std::string character;
  AppendUtf8(*number, character);
  return character;
}

Escape Made(size_t bytes, std::optional<std::string> character) {
  return character ? Escape{bytes, *std::move(character)} : Escape();
}

// %2E, one byte.
Escape PercentAtEnd(std::string_view text, bool numbers) {
  if (text.size() < 3 || text[text.size() - 3] != '%') return {};
  const std::string_view digits = text.substr(text.size() - 2);
  const std::optional<uint32_t> byte = NumberOf(digits, 16);
  if (!byte) return {};
  const bool is_percent = *byte == '%';
  if (numbers && !is_percent && IsDigit(digits[0]) && IsDigit(digits[1])) return {};
  return {3, std::string(1, static_cast<char>(*byte)), is_percent};
}

// Returns the number of backslashes at the end of the text. Text that was escaped several times has several.
size_t Backslashes(std::string_view text) {
  const size_t last = text.find_last_not_of('\\');
  return last == text.npos ? text.size() : text.size() - last - 1;
}

// \u followed by four digits at the end of the text, or by several in braces: the digits' value.
std::optional<uint32_t> CodeUnitAtEnd(std::string_view text, size_t& bytes) {
  if (text.ends_with('}')) {
    const size_t open = text.substr(text.size() - std::min(text.size(), kLongestEscape)).rfind("u{");
    if (open == text.npos) return std::nullopt;
    const size_t begin = text.size() - std::min(text.size(), kLongestEscape) + open;
    bytes = text.size() - begin;
    return NumberOf(text.substr(begin + 2, bytes - 3), 16);
  }
  if (text.size() < 5 || text[text.size() - 5] != 'u') return std::nullopt;
  bytes = 5;
  return NumberOf(text.substr(text.size() - 4), 16);
}

// A code point beyond U+FFFF is two of them.
Escape UnicodeAtEnd(std::string_view text) {
  size_t bytes = 0;
  std::optional<uint32_t> unit = CodeUnitAtEnd(text, bytes);
  if (!unit) return {};
  const size_t slashes = Backslashes(text.substr(0, text.size() - bytes));
  if (slashes == 0) return {};
  bytes += slashes;
  if (*unit >= 0xDC00 && *unit < 0xE000) {
    const std::string_view before = text.substr(0, text.size() - bytes);
    size_t high_bytes = 0;
    const std::optional<uint32_t> high = CodeUnitAtEnd(before, high_bytes);
    if (!high || *high < 0xD800 || *high >= 0xDC00) return {};
    const size_t high_slashes = Backslashes(before.substr(0, before.size() - high_bytes));
    if (high_slashes == 0) return {};
    unit = 0x10000 + ((*high - 0xD800) << 10) + (*unit - 0xDC00);
    bytes += high_bytes + high_slashes;
  }
  return Made(bytes, CharacterOf(unit));
}

// Marks of addresses and of escapes, before which there may be a backslash.
constexpr std::string_view kMarks = ".:[]%&#;@=";

// \x2e and \056, one byte, and \. for a mark.
Escape BackslashAtEnd(std::string_view text) {
  const char last = text.back();
  if (kMarks.find(last) != kMarks.npos) {
    const size_t slashes = Backslashes(text.substr(0, text.size() - 1));
    if (slashes > 0) return {slashes + 1, std::string(1, last)};
  }
  // The digits are checked first, so that a long run of backslashes is counted once, and not for each of them.
  if (text.size() < 4 || text[text.size() - 4] != '\\') return {};
  const std::string_view digits = text.substr(text.size() - 3);
  const std::optional<uint32_t> byte = digits[0] == 'x' ? NumberOf(digits.substr(1), 16) : NumberOf(digits, 8);
  if (!byte || *byte > 0xFF) return {};
  const size_t slashes = Backslashes(text.substr(0, text.size() - 3));
  return {slashes + 3, std::string(1, static_cast<char>(*byte))};
}

// Marks of addresses and of escapes.
constexpr std::pair<std::string_view, char> kEntities[] = {
    {"period", '.'}, {"colon", ':'}, {"lsqb", '['}, {"lbrack", '['}, {"rsqb", ']'},   {"rbrack", ']'}, {"percnt", '%'},
    {"amp", '&'},    {"num", '#'},   {"semi", ';'}, {"bsol", '\\'},  {"commat", '@'}, {"equals", '='}};

Escape EntityAtEnd(std::string_view text) {
  const std::string_view near = text.substr(text.size() - std::min(text.size(), kLongestEscape));
  const size_t open = near.rfind('&');
  if (open == near.npos) return {};
  const size_t bytes = near.size() - open;
  std::string_view name = near.substr(open + 1, bytes - 2);
  if (name.starts_with("#x") || name.starts_with("#X")) return Made(bytes, CharacterOf(NumberOf(name.substr(2), 16)));
  if (name.starts_with('#')) return Made(bytes, CharacterOf(NumberOf(name.substr(1), 10)));
  const auto* const found = std::find_if(std::begin(kEntities), std::end(kEntities),
                                         [&](const auto& entity) { return entity.first == name; });
  return found == std::end(kEntities) ? Escape() : Escape{bytes, std::string(1, found->second)};
}

Escape AtEnd(std::string_view text, bool numbers) {
  const char last = text.back();
  if (last == ';') {
    if (Escape entity = EntityAtEnd(text); entity.bytes > 0) return entity;
  }
  if (HexDigitValue(last) >= 0 || last == '}') {
    if (Escape percent = PercentAtEnd(text, numbers); percent.bytes > 0) return percent;
    if (Escape unicode = UnicodeAtEnd(text); unicode.bytes > 0) return unicode;
  }
  return BackslashAtEnd(text);
}

// A cheap test of what begins with %, & or a backslash: `\n` and `&a=b` are frequent, and not undone.
bool MayBeEscape(std::string_view text) {
  if (text[0] == '%') return text.size() > 2 && HexDigitValue(text[1]) >= 0 && HexDigitValue(text[2]) >= 0;
  if (text[0] == '&') return text.substr(0, kLongestEscape).find(';') != text.npos;
  const size_t after = text.find_first_not_of('\\');
  if (after == text.npos) return false;
  const char c = text[after];
  return c == 'u' || c == 'x' || IsDigit(c) || kMarks.find(c) != kMarks.npos;
}

// Returns the offset of the next byte, from `from` on, that may begin an escape; the text's size if there is none.
size_t NextBegin(std::string_view text, size_t from) {
  size_t next = text.size();
  AnyByte(
      text, from, [](const ByteBlock& block) { return block.Equal('%') | block.Equal('\\') | block.Equal('&'); },
      [&](size_t place) {
        next = place;
        return true;
      });
  return next;
}

}  // namespace

std::optional<UnescapedText> UnescapedText::Of(std::string_view text, Reading reading) {
  size_t i = NextBegin(text, 0);
  while (i < text.size() && !MayBeEscape(text.substr(i))) i = NextBegin(text, i + 1);
  if (i == text.size()) return std::nullopt;
  UnescapedText result(reading);
  result.text_.append(text.substr(0, i));
  size_t near_until = i + kLongestEscape;  // no escape ends after this, unless another one begins
  while (i < text.size()) {
    if (i >= near_until) {
      const size_t next = NextBegin(text, i);
      result.text_.append(text.substr(i, next - i));
      i = next;
      near_until = next + kLongestEscape;
      continue;
    }
    result.text_.push_back(text[i]);
    if (text[i] == '%' || text[i] == '\\' || text[i] == '&') near_until = i + kLongestEscape;
    ++i;
    while (result.UndoLast(i)) near_until = i + kLongestEscape;
  }
  if (result.changes_.empty()) return std::nullopt;
  return result;
}

bool UnescapedText::UndoLast(size_t end) {
  const Escape escape = AtEnd(text_, reading_ == Reading::kNumbers);
  if (escape.bytes == 0) return false;
  had_percent_ = had_percent_ || escape.is_percent;
  text_.resize(text_.size() - escape.bytes);
  while (!changes_.empty() && changes_.back().place >= text_.size()) changes_.pop_back();
  text_ += escape.character;
  changes_.push_back({text_.size() - 1, end - text_.size()});
  return true;
}

size_t UnescapedText::OriginalPlace(size_t place) const {
  const auto after = std::lower_bound(changes_.begin(), changes_.end(), place,
                                      [](const Change& change, size_t wanted) { return change.place < wanted; });
  return after == changes_.begin() ? place : place + std::prev(after)->ahead;
}

}  // namespace logquery::base
