// CAST('…' AS TIMESTAMP FORMAT '…') and casts to other times: parse text by a format.
#include <array>
#include <optional>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/cast_format.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using base::StrCat;

constexpr std::array<int64_t, 10> kPowers = {1,       10,        100,        1'000,       10'000,
                                             100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

absl::CivilSecond ClockOf(int64_t micros) {
  const int64_t seconds = micros / 1'000'000 - (micros % 1'000'000 < 0 ? 1 : 0);
  return absl::CivilSecond(1970, 1, 1) + seconds;
}

// Reads text by a format's elements.
class Reading {
 public:
  Reading(std::string_view text, const absl::CivilSecond& today) : text_(text), rest_(text), today_(today) {}

  absl::Status Read(const std::vector<FormatElement>& elements) {
    for (const FormatElement& element : elements) {
      LOGQUERY_RETURN_IF_ERROR(Take(element));
    }
    if (!rest_.empty()) return Mismatch("the text goes on after the format's end");
    if (hour12_.has_value() != pm_.has_value()) return Mismatch("HH12 and AM or PM go together");
    if (hour12_.has_value() && hour24_.has_value()) return Mismatch("there are two hours");
    return absl::OkStatus();
  }

  // Returns the text that CAST reads without a format, "2026-01-31 08:00:00.000000+01:00", limited to the parts that
  // the type has.
  absl::StatusOr<std::string> Canonical(int kinds) const {
    const int hour = hour12_.has_value() ? *hour12_ % 12 + (*pm_ ? 12 : 0) : hour24_.value_or(0);
    const int64_t in_day =
        second_of_day_.has_value() ? *second_of_day_ : (hour * 60 + minute_.value_or(0)) * 60 + second_.value_or(0);
    const int64_t year = year_.value_or(today_.year());
    const int month = month_.value_or(today_.month()), day = day_.value_or(1);
    const absl::CivilDay date(year, month, day);
    if (year < 1 || year > 9'999 || date.month() != month || date.day() != day) return Mismatch("there is no such day");
    std::string text;
    if ((kinds & kDateParts) != 0) text = absl::StrFormat("%04d-%02d-%02d", year, month, day);
    if ((kinds & kTimeParts) != 0) {
      absl::StrAppendFormat(&text, "%s%02d:%02d:%02d.%06d", text.empty() ? "" : " ", in_day / 3'600, in_day / 60 % 60,
                            in_day % 60, micros_);
    }
    if ((kinds & kZoneParts) != 0 && (zone_hour_.has_value() || zone_minute_.has_value())) {
      absl::StrAppendFormat(&text, "%c%02d:%02d", zone_is_behind_ ? '-' : '+', zone_hour_.value_or(0),
                            zone_minute_.value_or(0));
    }
    return text;
  }

 private:
  absl::Status Mismatch(std::string_view why) const {
    return absl::InvalidArgumentError(StrCat("CAST: \"", text_, "\" does not match the format: ", why));
  }

  // A number of at most so many digits.
  absl::Status TakeNumber(const FormatElement& element, int most, int64_t least_value, int64_t most_value,
                          int64_t& value) {
    int digits = 0;
    value = 0;
    for (; digits < most && !rest_.empty() && absl::ascii_isdigit(static_cast<unsigned char>(rest_[0])); ++digits) {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    if (digits == 0) return Mismatch(StrCat(element.text, " wants a number"));
    if (value < least_value || value > most_value) {
      return Mismatch(StrCat(element.text, " lies between ", least_value, " and ", most_value));
    }
    return absl::OkStatus();
  }

  absl::Status Set(const FormatElement& element, int64_t least, int64_t most, std::optional<int>& to) {
    if (to.has_value()) return Mismatch(StrCat("the format has two elements for what ", element.text, " gives"));
    int64_t value = 0;
    LOGQUERY_RETURN_IF_ERROR(TakeNumber(element, element.digits, least, most, value));
    to = static_cast<int>(value);
    return absl::OkStatus();
  }

  absl::Status TakeYear(const FormatElement& element) {
    if (year_.has_value()) return Mismatch("the format has two elements for the year");
    int64_t value = 0;
    LOGQUERY_RETURN_IF_ERROR(TakeNumber(element, element.digits, 0, 9'999, value));
    const int64_t power = kPowers[static_cast<size_t>(element.digits)];
    if (element.digits < 4) value += today_.year() / power * power;
    if (element.part == FormatPart::kRoundYear && element.digits == 2) {
      // The century whose year of that number is nearer, as 50 divides them.
      const int64_t now = today_.year() % 100, given = value % 100;
      if (now < 50 && given >= 50) value -= 100;
      if (now >= 50 && given < 50) value += 100;
    }
    year_ = value;
    return absl::OkStatus();
  }

  absl::Status TakeMonthName(const FormatElement& element) {
    if (month_.has_value()) return Mismatch("the format has two elements for the month");
    for (size_t i = 0; i < kMonthNames.size(); ++i) {
      const std::string_view name = element.digits == 0 ? kMonthNames[i] : kMonthNames[i].substr(0, 3);
      if (!base::EqualsIgnoreCase(rest_.substr(0, name.size()), name)) continue;
      rest_.remove_prefix(name.size());
      month_ = static_cast<int>(i) + 1;
      return absl::OkStatus();
    }
    return Mismatch(StrCat(element.text, " wants the name of a month"));
  }

  absl::Status TakeMeridian(const FormatElement& element) {
    if (pm_.has_value()) return Mismatch("the format has AM or PM twice");
    for (const bool pm : {false, true}) {
      const std::string_view dotted = pm ? "P.M." : "A.M.", plain = pm ? "PM" : "AM";
      const std::string_view name = element.digits == 4 ? dotted : plain;
      if (!base::EqualsIgnoreCase(rest_.substr(0, name.size()), name)) continue;
      rest_.remove_prefix(name.size());
      pm_ = pm;
      return absl::OkStatus();
    }
    return Mismatch(StrCat(element.text, " wants AM or PM"));
  }

  absl::Status TakeFraction(const FormatElement& element) {
    int64_t value = 0;
    const size_t before = rest_.size();
    LOGQUERY_RETURN_IF_ERROR(TakeNumber(element, element.digits, 0, kPowers[9] - 1, value));
    micros_ = value * kPowers[9 - (before - rest_.size())] / 1'000;
    return absl::OkStatus();
  }

  absl::Status TakeZoneHour(const FormatElement& element) {
    if (rest_.empty() || (rest_[0] != '+' && rest_[0] != '-')) return Mismatch("TZH wants a sign");
    zone_is_behind_ = rest_[0] == '-';
    rest_.remove_prefix(1);
    return Set(element, 0, 14, zone_hour_);
  }

  absl::Status TakeLiteral(const FormatElement& element) {
    if (rest_.substr(0, element.text.size()) != element.text)
      return Mismatch(StrCat("\"", element.text, "\" is missing"));
    rest_.remove_prefix(element.text.size());
    return absl::OkStatus();
  }

  absl::Status TakeSpace() {
    const auto at_space = [&] { return !rest_.empty() && absl::ascii_isspace(static_cast<unsigned char>(rest_[0])); };
    if (!at_space()) return Mismatch("a space is missing");
    while (at_space()) rest_.remove_prefix(1);
    return absl::OkStatus();
  }

  absl::Status Take(const FormatElement& element) {
    switch (element.part) {
      case FormatPart::kLiteral:
        return TakeLiteral(element);
      case FormatPart::kSpace:
        return TakeSpace();
      case FormatPart::kYear:
      case FormatPart::kRoundYear:
        return TakeYear(element);
      case FormatPart::kMonth:
        return Set(element, 1, 12, month_);
      case FormatPart::kMonthName:
        return TakeMonthName(element);
      case FormatPart::kDay:
        return Set(element, 1, 31, day_);
      case FormatPart::kDayOfWeek:
      case FormatPart::kDayOfYear:
      case FormatPart::kDayName:
        return absl::InvalidArgumentError(StrCat("CAST: ", element.text, " can be written, not read"));
      case FormatPart::kHour12:
        return Set(element, 1, 12, hour12_);
      case FormatPart::kHour24:
        return Set(element, 0, 23, hour24_);
      case FormatPart::kMeridian:
        return TakeMeridian(element);
      case FormatPart::kMinute:
        return Set(element, 0, 59, minute_);
      case FormatPart::kSecond:
        return Set(element, 0, 59, second_);
      case FormatPart::kSecondOfDay:
        return Set(element, 0, 86'399, second_of_day_);
      case FormatPart::kFraction:
        return TakeFraction(element);
      case FormatPart::kZoneHour:
        return TakeZoneHour(element);
      case FormatPart::kZoneMinute:
        return Set(element, 0, 59, zone_minute_);
    }
    return absl::InternalError("unknown format element");
  }

  const std::string_view text_;
  std::string_view rest_;
  const absl::CivilSecond today_;
  std::optional<int64_t> year_;
  std::optional<int> month_, day_, hour12_, hour24_, minute_, second_, second_of_day_, zone_hour_, zone_minute_;
  std::optional<bool> pm_;
  int64_t micros_ = 0;
  bool zone_is_behind_ = false;
};

// (the text, the format, what a clock shows now, what the type has)
absl::Status ParseTime(const Row& in, Output& out) {
  const int kinds = static_cast<int>(in.Int(3));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<FormatElement> elements, ParseCastFormat(in.Text(1), kinds));
  Reading reading(in.Text(0), ClockOf(in.Int(2)));
  LOGQUERY_RETURN_IF_ERROR(reading.Read(elements));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, reading.Canonical(kinds));
  return out.Text(text);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_read_time", "(STRING, STRING, DATETIME, INT64) -> STRING", ParseTime, "$read_time"},
};

}  // namespace

FunctionEntries ReadTimeFunctions() { return kEntries; }

}  // namespace logquery::functions
