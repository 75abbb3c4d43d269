// Formats times for logs, and text for cells of a fixed width.
#include "shim/observe/display.h"

#include <algorithm>
#include <iterator>

#include "lib/base/control_characters.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::shim {
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

// What is drawn in its place; characters that turn the direction of text are as misleading as control characters.
char32_t Visible(char32_t code_point) {
  if (code_point < 0x20) return 0x2400 + code_point;
  if (code_point == 0x7F) return 0x2421;
  return base::IsControlCharacter(code_point) ? 0xFFFD : code_point;
}

}  // namespace

std::string MillisecondsText(absl::Duration time) {
  // To the nearest microsecond. Printing a double takes ten times as long, and a line of the log has seven of these.
  const int64_t nanos = absl::ToInt64Nanoseconds(absl::AbsDuration(time));
  const int64_t micros = nanos / 1'000 + (nanos % 1'000 >= 500 ? 1 : 0);
  std::string text = base::StrCat(time < absl::ZeroDuration() && micros > 0 ? "-" : "", micros / 1'000, ".000");
  int64_t rest = micros % 1'000;
  for (size_t at = text.size(); rest > 0; rest /= 10) text[--at] = static_cast<char>('0' + rest % 10);
  return text;
}

std::string UtcText(absl::Time time) {
  const absl::TimeZone::CivilInfo info = absl::UTCTimeZone().At(time);
  std::string text = "0000-00-00T00:00:00.000Z";
  const auto put = [&text](size_t end, int64_t number) {
    for (; number > 0; number /= 10) text[--end] = static_cast<char>('0' + number % 10);
  };
  if (info.cs.year() < 0 || info.cs.year() > 9'999) return text;
  put(4, info.cs.year());
  put(7, info.cs.month());
  put(10, info.cs.day());
  put(13, info.cs.hour());
  put(16, info.cs.minute());
  put(19, info.cs.second());
  put(23, absl::ToInt64Milliseconds(info.subsecond));
  return text;
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  for (size_t at = 0; at < text.size();) {
    const base::CodePoint code_point = base::DecodeUtf8(text, at);
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
    const base::CodePoint code_point = base::DecodeUtf8(text, at);
    const char32_t drawn = Visible(code_point.value);
    used += WidthOf(drawn);
    if (used > width) {
      line.resize(fits);
      return line + "…";
    }
    base::AppendUtf8(drawn, line);
    if (used < width) fits = line.size();
    at += static_cast<size_t>(code_point.bytes);
  }
  return line;
}

std::string Painted(bool on, Colour colour, std::string_view text) {
  if (!on) return std::string(text);
  constexpr std::string_view kCodes[] = {"1", "31", "32", "33"};
  return base::StrCat("\x1b[", kCodes[static_cast<int>(colour)], "m", text, "\x1b[0m");
}

}  // namespace logquery::shim
