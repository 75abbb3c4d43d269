// Formats times for logs.
#include "shim/observe/display.h"

#include "lib/base/strings.h"

namespace logquery::shim {

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

std::string Painted(bool on, Colour colour, std::string_view text) {
  if (!on) return std::string(text);
  constexpr std::string_view kCodes[] = {"1", "31", "32", "33"};
  return base::StrCat("\x1b[", kCodes[static_cast<int>(colour)], "m", text, "\x1b[0m");
}

}  // namespace logquery::shim
