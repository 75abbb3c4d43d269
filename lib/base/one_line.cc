// Decides by blocks of Unicode how wide a character is drawn.
#include "lib/base/one_line.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "lib/base/control_characters.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The blocks that terminals draw two columns wide (Unicode's East Asian Width W and F, whole blocks).
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                           {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
constexpr Range kZero[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
                           {0x200B, 0x200D}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

bool IsIn(char32_t code_point, const Range* begin, const Range* end) {
  return std::any_of(begin, end, [=](Range range) { return code_point >= range.first && code_point <= range.last; });
}

int WidthOf(char32_t code_point) {
  if (IsIn(code_point, std::begin(kZero), std::end(kZero))) return 0;
  return IsIn(code_point, std::begin(kWide), std::end(kWide)) ? 2 : 1;
}

// The character drawn in place of a control character; those that turn the direction of text are as misleading.
char32_t Visible(char32_t code_point) {
  if (code_point < 0x20) return 0x2400 + code_point;
  if (code_point == 0x7F) return 0x2421;
  return IsControlCharacter(code_point) ? 0xFFFD : code_point;
}

}  // namespace

int DisplayWidth(std::string_view text) {
  int width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeUtf8(text, at);
    width += WidthOf(code_point.value);
    at += static_cast<size_t>(code_point.bytes);
  }
  return width;
}

std::string OneLine(std::string_view text, int width) {
  const bool plain = text.size() <= static_cast<size_t>(width) &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
  if (plain) return std::string(text);
  std::string line;
  int used = 0;
  size_t fits = 0;  // bytes of `line` that leave a column for the …
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeUtf8(text, at);
    const char32_t drawn = Visible(code_point.value);
    used += WidthOf(drawn);
    if (used > width) {
      line.resize(fits);
      return line + "…";
    }
    AppendUtf8(drawn, line);
    if (used < width) fits = line.size();
    at += static_cast<size_t>(code_point.bytes);
  }
  return line;
}

}  // namespace logquery::base
