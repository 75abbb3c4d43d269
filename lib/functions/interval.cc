// CAST from STRING to INTERVAL: all forms of INTERVAL literals, and ISO 8601 durations such as P1Y2M3DT4H5M6.5S.
#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/numeric/int128.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/interval_text.h"

namespace logquery::functions {
namespace {

using base::StrCat;
using logquery::Interval;

constexpr int64_t kMaxMonths = 120'000;
constexpr int64_t kMaxDays = 3'660'000;
constexpr int64_t kMaxMicros = int64_t{87'840'000} * 3'600'000'000;

absl::Status NoInterval(std::string_view text) {
  return absl::InvalidArgumentError(StrCat("Invalid INTERVAL value '", text.substr(0, 60), "'"));
}

bool IsOutside(absl::int128 value, int64_t limit) { return value > limit || value < -limit; }

// One number and its letter: "-6.789S". Fractions are for seconds alone.
absl::Status AddPart(std::string_view number, char letter, bool time, absl::int128& months, absl::int128& days,
                     absl::int128& micros) {
  const bool negative = number.substr(0, 1) == "-";
  if (negative || number.substr(0, 1) == "+") number.remove_prefix(1);
  const size_t point = number.find_first_of(".,");
  const std::string_view whole = number.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : number.substr(point + 1);
  int64_t count = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), count);
  if (error != std::errc() || end != whole.data() + whole.size() || count < 0)
    return absl::InvalidArgumentError("number");
  if ((point != std::string_view::npos && letter != 'S') || fraction.size() > 9)
    return absl::InvalidArgumentError("fraction");
  int64_t part = 0;
  for (size_t i = 0; i < 6; ++i) {
    const char c = i < fraction.size() ? fraction[i] : '0';
    if (c < '0' || c > '9') return absl::InvalidArgumentError("fraction");
    part = part * 10 + (c - '0');
  }
  const absl::int128 signed_count = negative ? -absl::int128(count) : absl::int128(count);
  if (time && letter == 'S') {
    micros += signed_count * 1'000'000 + (negative ? -part : part);
  } else if (time && (letter == 'H' || letter == 'M')) {
    micros += signed_count * (letter == 'H' ? 3'600'000'000 : 60'000'000);
  } else if (!time && (letter == 'Y' || letter == 'M')) {
    months += signed_count * (letter == 'Y' ? 12 : 1);
  } else if (!time && (letter == 'W' || letter == 'D')) {
    days += signed_count * (letter == 'W' ? 7 : 1);
  } else {
    return absl::InvalidArgumentError("unit");
  }
  return absl::OkStatus();
}

absl::StatusOr<Interval> ParseDuration(std::string_view text) {
  absl::int128 months = 0;
  absl::int128 days = 0;
  absl::int128 micros = 0;
  bool time = false;
  bool any = false;
  std::string_view rest = text.substr(1);
  while (!rest.empty()) {
    if (rest[0] == 'T' && !time) {
      time = true;
      any = false;
      rest.remove_prefix(1);
      continue;
    }
    const size_t end = rest.find_first_not_of("+-0123456789.,");
    if (end == std::string_view::npos || end == 0) return NoInterval(text);
    if (!AddPart(rest.substr(0, end), rest[end], time, months, days, micros).ok()) return NoInterval(text);
    any = true;
    rest.remove_prefix(end + 1);
  }
  if (!any || IsOutside(months, kMaxMonths) || IsOutside(days, kMaxDays) || IsOutside(micros, kMaxMicros)) {
    return NoInterval(text);
  }
  return Interval{static_cast<int64_t>(months), static_cast<int64_t>(days), static_cast<int64_t>(micros)};
}

// Returns the first and last part of a text that does not name its parts, judged by its number of words, dashes and
// colons.
std::pair<const char*, const char*> PartsOf(std::string_view text) {
  const auto spaces = std::count(text.begin(), text.end(), ' ');
  const auto colons = std::count(text.begin(), text.end(), ':');
  const bool months = text.find('-', 1) != std::string_view::npos &&
                      absl::ascii_isdigit(static_cast<unsigned char>(text[text.find('-', 1) - 1]));
  const char* const last = colons == 2 ? "SECOND" : colons == 1 ? "MINUTE" : spaces == 2 ? "HOUR" : "DAY";
  if (months && spaces == 0) return {"YEAR", "MONTH"};
  if (months) return {"YEAR", spaces == 1 ? "DAY" : last};
  if (spaces == 1 && colons > 0) return {"DAY", last};
  if (spaces == 0 && colons == 2) return {"HOUR", "SECOND"};
  return {"YEAR", "SECOND"};
}

absl::Status ToInterval(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  if (text.empty()) return NoInterval(text);
  if (text[0] == 'P') {
    LOGQUERY_ASSIGN_OR_RETURN(const Interval interval, ParseDuration(text));
    return out.Interval(interval);
  }
  const auto [from, to] = PartsOf(text);
  const absl::StatusOr<Interval> interval = model::ParseIntervalText(text, from, to);
  return interval.ok() ? out.Interval(*interval) : NoInterval(text);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_to_interval", "(STRING) -> INTERVAL", ToInterval},
};

}  // namespace

FunctionEntries IntervalFunctions() { return kEntries; }

}  // namespace logquery::functions
