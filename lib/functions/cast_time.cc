// CAST(… AS STRING FORMAT '…') on times, from local time.
#include <array>
#include <cstdlib>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/cast_format.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};
constexpr int64_t kSecond = 1'000'000;
constexpr std::array<int64_t, 10> kPowers = {1,       10,        100,        1'000,       10'000,
                                             100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

// A point of a clock's time; `micros` since 1970.
struct Civil {
  explicit Civil(int64_t since_1970) {
    micros = since_1970 % kSecond;
    int64_t seconds = since_1970 / kSecond;
    if (micros < 0) {
      micros += kSecond;
      --seconds;
    }
    second = absl::CivilSecond(1970, 1, 1) + seconds;
  }
  absl::CivilSecond second;
  int64_t micros = 0;
};

// Writes the name in the case of its format element: MONTH, Month, month.
std::string InCaseOf(std::string_view element, std::string_view name) {
  const auto is_upper = [&](size_t i) { return absl::ascii_isupper(static_cast<unsigned char>(element[i])); };
  if (!is_upper(0)) return base::ToLower(name);
  return is_upper(1) ? base::ToUpper(name) : std::string(name);
}

std::string NameIn(const FormatElement& element, std::string_view name) {
  return InCaseOf(element.text, element.digits == 0 ? name : name.substr(0, static_cast<size_t>(element.digits)));
}

std::string Written(const FormatElement& element, const Civil& civil, int64_t offset) {
  const absl::CivilSecond& at = civil.second;
  const int hour12 = at.hour() % 12 == 0 ? 12 : at.hour() % 12;
  switch (element.part) {
    case FormatPart::kLiteral:
    case FormatPart::kSpace:
      return element.text;
    case FormatPart::kYear:
    case FormatPart::kRoundYear:
      return absl::StrFormat(
          "%0*d", element.digits,
          element.digits == 4 ? at.year() : at.year() % kPowers[static_cast<size_t>(element.digits)]);
    case FormatPart::kMonth:
      return absl::StrFormat("%02d", at.month());
    case FormatPart::kMonthName:
      return NameIn(element, kMonthNames[static_cast<size_t>(at.month() - 1)]);
    case FormatPart::kDay:
      return absl::StrFormat("%02d", at.day());
    case FormatPart::kDayOfWeek:
      return std::to_string((static_cast<int>(absl::GetWeekday(at)) + 1) % 7 + 1);
    case FormatPart::kDayOfYear:
      return absl::StrFormat("%03d", absl::GetYearDay(absl::CivilDay(at)));
    case FormatPart::kDayName:
      return NameIn(element, kDays[static_cast<size_t>(absl::GetWeekday(at))]);
    case FormatPart::kHour12:
      return absl::StrFormat("%02d", hour12);
    case FormatPart::kHour24:
      return absl::StrFormat("%02d", at.hour());
    case FormatPart::kMeridian: {
      const std::string_view dotted = at.hour() < 12 ? "A.M." : "P.M.", plain = at.hour() < 12 ? "AM" : "PM";
      const std::string_view name = element.digits == 4 ? dotted : plain;
      return absl::ascii_isupper(static_cast<unsigned char>(element.text[0])) ? std::string(name) : base::ToLower(name);
    }
    case FormatPart::kMinute:
      return absl::StrFormat("%02d", at.minute());
    case FormatPart::kSecond:
      return absl::StrFormat("%02d", at.second());
    case FormatPart::kSecondOfDay:
      return absl::StrFormat("%05d", (at.hour() * 60 + at.minute()) * 60 + at.second());
    case FormatPart::kFraction:
      return absl::StrFormat("%09d", civil.micros * 1'000).substr(0, static_cast<size_t>(element.digits));
    case FormatPart::kZoneHour:
      return absl::StrFormat("%c%02d", offset < 0 ? '-' : '+', std::abs(offset) / 3'600);
    case FormatPart::kZoneMinute:
      return absl::StrFormat("%02d", std::abs(offset) / 60 % 60);
  }
  return "";
}

// (a clock's time, the format, how many seconds the clock is ahead of UTC, what the type has)
absl::Status FormatTime(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<FormatElement> elements,
                            ParseCastFormat(in.Text(1), static_cast<int>(in.Int(3))));
  const Civil civil(in.Int(0));
  std::string text;
  for (const FormatElement& element : elements) text += Written(element, civil, in.Int(2));
  return out.Text(text);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_format_time", "(DATETIME, STRING, INT64, INT64) -> STRING", FormatTime, "$format_time"},
};

}  // namespace

FunctionEntries CastTimeFunctions() { return kEntries; }

}  // namespace logquery::functions
