// Parses the fields of an interval from left to right, by the separators between them.
#include "lib/model/interval_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "lib/base/strings.h"

namespace logquery::model {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kMaxMonths = 120'000, kMaxDays = 3'660'000;
constexpr int64_t kMaxMicros = 87'840'000LL * 3600 * kSecond;

// The value of one unit of a part.
struct PartUnit {
  const char* name;
  int64_t months, days, micros;
};
constexpr std::array<PartUnit, 10> kUnits = {{{"YEAR", 12, 0, 0},
                                              {"QUARTER", 3, 0, 0},
                                              {"MONTH", 1, 0, 0},
                                              {"WEEK", 0, 7, 0},
                                              {"DAY", 0, 1, 0},
                                              {"HOUR", 0, 0, 3600 * kSecond},
                                              {"MINUTE", 0, 0, 60 * kSecond},
                                              {"SECOND", 0, 0, kSecond},
                                              {"MILLISECOND", 0, 0, 1000},
                                              {"MICROSECOND", 0, 0, 1}}};

absl::Status OutOfRange(std::string_view what) {
  return absl::InvalidArgumentError(base::StrCat("the interval ", what, " is out of range"));
}

absl::Status Malformed(std::string_view text, std::string_view example) {
  return absl::InvalidArgumentError(
      base::StrCat("\"", text, "\" is not an interval of this form; write it as ", example));
}

// Reads [-]digits; nullopt when there are none.
std::optional<int64_t> TakeNumber(std::string_view& text) {
  bool negative = !text.empty() && text[0] == '-';
  size_t i = negative || (!text.empty() && text[0] == '+') ? 1 : 0;
  size_t first = i;
  int64_t value = 0;
  while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) && i - first < 15) {
    value = value * 10 + (text[i++] - '0');
  }
  if (i == first) return std::nullopt;
  text.remove_prefix(i);
  return negative ? -value : value;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

// ".25" as microseconds.
int64_t TakeFraction(std::string_view& text) {
  if (!TakeChar(text, '.')) return 0;
  int64_t micros = 0;
  int digits = 0;
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0]))) {
    if (digits++ < 6) micros = micros * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  for (; digits < 6; ++digits) micros *= 10;
  return micros;
}

// The places of YEAR MONTH DAY HOUR MINUTE SECOND, and what separates each from the next.
constexpr std::array<const char*, 6> kPlaces = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};
constexpr std::array<char, 5> kBetween = {'-', ' ', ' ', ':', ':'};

int PlaceOf(std::string_view part) {
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    if (part == kPlaces[i]) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

absl::StatusOr<Interval> IntervalOfParts(int64_t count, std::string_view part) {
  for (const PartUnit& unit : kUnits) {
    if (part != unit.name) continue;
    // Bounded by the widest range, so that the products stay within 64 bits.
    if (count > kMaxMicros || count < -kMaxMicros) return OutOfRange(base::StrCat(count, " ", part));
    __int128 micros = static_cast<__int128>(count) * unit.micros;
    Interval interval{count * unit.months, count * unit.days, static_cast<int64_t>(micros)};
    if (interval.months > kMaxMonths || interval.months < -kMaxMonths || interval.days > kMaxDays ||
        interval.days < -kMaxDays || micros > kMaxMicros || micros < -kMaxMicros) {
      return OutOfRange(base::StrCat(count, " ", part));
    }
    return interval;
  }
  return absl::InvalidArgumentError(base::StrCat("INTERVAL has no part ", part, "; it has YEAR, QUARTER, MONTH, WEEK, ",
                                                 "DAY, HOUR, MINUTE, SECOND, MILLISECOND and MICROSECOND"));
}

absl::StatusOr<Interval> ParseIntervalText(std::string_view text, std::string_view from, std::string_view to) {
  std::string_view rest = text;
  if (to.empty()) {
    bool minus = !rest.empty() && rest[0] == '-';
    std::optional<int64_t> count = TakeNumber(rest);
    if (!count) return Malformed(text, "INTERVAL '5' DAY");
    absl::StatusOr<Interval> interval = IntervalOfParts(*count, from);
    if (!interval.ok()) return interval;
    if (from == "SECOND") interval->micros += (minus ? -1 : 1) * TakeFraction(rest);
    if (!rest.empty()) return Malformed(text, "INTERVAL '5' DAY");
    return interval;
  }
  int first = PlaceOf(from), last = PlaceOf(to);
  if (first < 0 || last <= first) {
    return absl::InvalidArgumentError(base::StrCat("there is no INTERVAL from ", from, " to ", to));
  }
  std::array<int64_t, 6> parts = {};
  int64_t fraction = 0;
  int64_t sign = 1;
  for (int i = first; i <= last; ++i) {
    bool starts_group = i == first || kBetween[i - 1] == ' ';
    if (i > first && !TakeChar(rest, kBetween[i - 1])) return Malformed(text, "INTERVAL '1-2 3 4:5:6' YEAR TO SECOND");
    if (starts_group) sign = !rest.empty() && rest[0] == '-' ? -1 : 1;
    std::optional<int64_t> number = TakeNumber(rest);
    if (!number) return Malformed(text, "INTERVAL '1-2 3 4:5:6' YEAR TO SECOND");
    parts[i] = starts_group ? *number : sign * *number;
    if (i == 5) fraction = sign * TakeFraction(rest);
  }
  if (!rest.empty()) return Malformed(text, "INTERVAL '1-2 3 4:5:6' YEAR TO SECOND");
  Interval interval{parts[0] * 12 + parts[1], parts[2],
                    (parts[3] * 3600 + parts[4] * 60 + parts[5]) * kSecond + fraction};
  if (!IsInRange(interval)) {
    return OutOfRange(text);
  }
  return interval;
}

bool IsInRange(const Interval& interval) {
  const auto within = [](int64_t value, int64_t most) { return value <= most && value >= -most; };
  return within(interval.months, kMaxMonths) && within(interval.days, kMaxDays) && within(interval.micros, kMaxMicros);
}

const std::vector<std::string>& DatePartNames() {
  static const auto* names =
      new std::vector<std::string>{"MICROSECOND", "MILLISECOND", "SECOND",  "MINUTE", "HOUR",    "DAY",  "DAYOFWEEK",
                                   "DAYOFYEAR",   "WEEK",        "ISOWEEK", "MONTH",  "QUARTER", "YEAR", "ISOYEAR"};
  return *names;
}

bool IsDatePart(std::string_view part) {
  static constexpr std::array<const char*, 7> kDays = {"SUNDAY",   "MONDAY", "TUESDAY", "WEDNESDAY",
                                                       "THURSDAY", "FRIDAY", "SATURDAY"};
  const std::vector<std::string>& names = DatePartNames();
  if (std::find(names.begin(), names.end(), part) != names.end()) return true;
  if (part.size() < 7 || part.substr(0, 5) != "WEEK(" || part.back() != ')') return false;
  std::string_view day = part.substr(5, part.size() - 6);
  return std::find(kDays.begin(), kDays.end(), day) != kDays.end();
}

}  // namespace logquery::model
