// Rounds to two or three digits, which is as much as people compare.
#include "lib/base/readable_text.h"

#include <cstdio>
#include <string_view>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

std::string Decimal(double number, std::string_view unit) {
  char text[64];
  std::snprintf(text, sizeof(text), number < 10 ? "%.1f %.*s" : "%.0f %.*s", number, static_cast<int>(unit.size()),
                unit.data());
  return text;
}

}  // namespace

std::string WithCommas(int64_t number) {
  std::string digits = std::to_string(number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<size_t>(at), 1, ',');
  }
  return digits;
}

std::string CountedText(int64_t count, std::string_view noun) {
  return StrCat(WithCommas(count), " ", noun, count == 1 ? "" : "s");
}

std::string BytesText(int64_t bytes) {
  if (bytes < 1'000) return StrCat(bytes, " B");
  auto size = static_cast<double>(bytes);
  for (const std::string_view unit : {"kB", "MB", "GB"}) {
    size /= 1'000;
    if (size < 999.5) return Decimal(size, unit);
  }
  return Decimal(size / 1'000, "TB");
}

std::string DurationText(absl::Duration time) {
  const double seconds = absl::ToDoubleSeconds(time);
  if (seconds < 1) return Decimal(seconds * 1'000, "ms");
  if (seconds < 90) return Decimal(seconds, "s");
  const int64_t whole = absl::ToInt64Seconds(time);
  if (whole < 5'400) return StrCat(whole / 60, " min ", whole % 60, " s");
  return StrCat(whole / 3'600, " h ", whole / 60 % 60, " min");
}

std::string MillisecondsText(absl::Duration time) {
  // Rounds to the nearest microsecond. Printing a double takes ten times as long, and a line of the log has seven of these.
  const int64_t nanos = absl::ToInt64Nanoseconds(absl::AbsDuration(time));
  const int64_t micros = nanos / 1'000 + (nanos % 1'000 >= 500 ? 1 : 0);
  std::string text = StrCat(time < absl::ZeroDuration() && micros > 0 ? "-" : "", micros / 1'000, ".000");
  int64_t rest = micros % 1'000;
  for (size_t at = text.size(); rest > 0; rest /= 10) text[--at] = static_cast<char>('0' + rest % 10);
  return text;
}

}  // namespace logquery::base
