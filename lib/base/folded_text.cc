// The table of digits is Unicode 16's category Nd. Each of its digit sets has ten consecutive code points, from zero to
// nine, so the table only has the zeros.
#include "lib/base/folded_text.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "lib/base/byte_block.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

constexpr char32_t kZeros[] = {
    0x00660, 0x006F0, 0x007C0, 0x00966, 0x009E6, 0x00A66, 0x00AE6, 0x00B66, 0x00BE6, 0x00C66, 0x00CE6, 0x00D66, 0x00DE6,
    0x00E50, 0x00ED0, 0x00F20, 0x01040, 0x01090, 0x017E0, 0x01810, 0x01946, 0x019D0, 0x01A80, 0x01A90, 0x01B50, 0x01BB0,
    0x01C40, 0x01C50, 0x0A620, 0x0A8D0, 0x0A900, 0x0A9D0, 0x0A9F0, 0x0AA50, 0x0ABF0, 0x0FF10, 0x104A0, 0x10D30, 0x10D40,
    0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0,
    0x11950, 0x11BF0, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE,
    0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0};

struct Mark {
  char32_t code_point;
  char ascii;
};

// Full-width, half-width and small forms; the ideographic full stop divides the parts of an address as well (RFC 3490).
constexpr Mark kMarks[] = {{0x3002, '.'}, {0xFE52, '.'}, {0xFE55, ':'}, {0xFF0E, '.'}, {0xFF1A, ':'}, {0xFF61, '.'}};

constexpr char32_t LeadOf(char32_t code_point) {
  if (code_point < 0x800) return 0xC0 | code_point >> 6;
  if (code_point < 0x10000) return 0xE0 | code_point >> 12;
  return 0xF0 | code_point >> 18;
}

// The bytes that can begin what is folded: most other text need not be decoded.
constexpr std::array<bool, 256> kMayBegin = [] {
  std::array<bool, 256> may = {};
  may['%'] = true;
  for (const char32_t zero : kZeros) may[LeadOf(zero)] = may[LeadOf(zero + 9)] = true;
  for (const Mark& mark : kMarks) may[LeadOf(mark.code_point)] = true;
  return may;
}();

struct Folded {
  char ascii = 0;  // 0: it stands for itself
  size_t bytes = 1;
};

Folded FoldEscape(std::string_view text, size_t begin) {
  size_t digits = begin + 1;
  while (text.substr(digits, 2) == "25") digits += 2;
  if (digits + 2 > text.size()) return {};
  const char low = text[digits + 1] | 0x20;
  const auto is = [&](char high, char wanted) { return text[digits] == high && low == wanted; };
  const size_t bytes = digits + 2 - begin;
  if (is('2', 'e')) return {'.', bytes};
  if (is('3', 'a')) return {':', bytes};
  if (is('5', 'b')) return {'[', bytes};
  if (is('5', 'd')) return {']', bytes};
  return {};
}

Folded FoldCharacter(std::string_view text, size_t begin) {
  const CodePoint point = DecodeUtf8(text, begin);
  const auto bytes = static_cast<size_t>(point.bytes);
  if (!point.valid) return {0, bytes};
  for (const Mark& mark : kMarks) {
    if (mark.code_point == point.value) return {mark.ascii, bytes};
  }
  const auto* const after = std::upper_bound(std::begin(kZeros), std::end(kZeros), point.value);
  if (after == std::begin(kZeros)) return {0, bytes};
  const char32_t digit = point.value - *std::prev(after);
  return {digit < 10 ? static_cast<char>('0' + digit) : '\0', bytes};
}

// Returns the offset of the next byte, from `from` on, that can begin a folded character; the text's size if there is
// none.
size_t NextCandidate(std::string_view text, size_t from) {
  size_t next = text.size();
  AnyByte(
      text, from, [](const ByteBlock& block) { return block.NotAscii() | block.Equal('%'); },
      [&](size_t place) {
        if (!kMayBegin[static_cast<unsigned char>(text[place])]) return false;
        next = place;
        return true;
      });
  return next;
}

}  // namespace

std::optional<FoldedText> FoldedText::Of(std::string_view text) {
  std::optional<FoldedText> result;
  size_t done = 0;
  for (size_t i = NextCandidate(text, 0); i < text.size();) {
    const Folded folded = text[i] == '%' ? FoldEscape(text, i) : FoldCharacter(text, i);
    if (folded.ascii != 0) {
      if (!result.has_value()) result.emplace();
      result->text_.append(text.substr(done, i - done)).push_back(folded.ascii);
      done = i + folded.bytes;
      result->folds_.push_back({result->text_.size() - 1, done - result->text_.size()});
    }
    i = NextCandidate(text, i + folded.bytes);
  }
  if (result.has_value()) result->text_.append(text.substr(done));
  return result;
}

size_t FoldedText::OriginalPlace(size_t place) const {
  const auto after = std::lower_bound(folds_.begin(), folds_.end(), place,
                                      [](const Fold& fold, size_t wanted) { return fold.place < wanted; });
  return after == folds_.begin() ? place : place + std::prev(after)->ahead;
}

}  // namespace logquery::base
