// Times: parts, beginnings of intervals, differences and sums, in a zone.
#include <algorithm>
#include <array>

#include "absl/time/civil_time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/model/time_zone.h"

namespace logquery::functions {
namespace {

using base::StrCat;

absl::StatusOr<ChUnit> UnitOf(std::string_view name) {
  const std::optional<ChUnit> unit = FindChUnit(name);
  if (unit) return *unit;
  return absl::InvalidArgumentError(StrCat("unknown unit of time '", name.substr(0, 30),
                                           "'; write second, minute, hour, day, week, month, quarter or year"));
}

absl::Time TimeOf(int64_t micros) { return absl::FromUnixMicros(micros); }

int64_t FloorDiv(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

int64_t MicrosOf(ChUnit unit) {
  switch (unit) {
    case ChUnit::kMicrosecond:
      return 1;
    case ChUnit::kMillisecond:
      return 1'000;
    case ChUnit::kSecond:
      return 1'000'000;
    case ChUnit::kMinute:
      return 60'000'000;
    case ChUnit::kHour:
      return 3'600'000'000;
    case ChUnit::kDay:
      return 86'400'000'000;
    case ChUnit::kWeek:
      return 604'800'000'000;
    case ChUnit::kMonth:
    case ChUnit::kQuarter:
    case ChUnit::kYear:
      break;
  }
  return 0;
}

int MonthsOf(ChUnit unit) { return unit == ChUnit::kYear ? 12 : unit == ChUnit::kQuarter ? 3 : 1; }

constexpr int64_t kMostUnits = 1'000'000'000;

// The interval of n units that the time is in: months and weeks are counted from 1970, hours and shorter ones from the
// day's midnight in the zone.
absl::Status StartOf(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const ChUnit unit, UnitOf(in.Text(1)));
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(3)));
  const int64_t count = in.Int(2);
  if (count < 1 || count > kMostUnits)
    return absl::InvalidArgumentError(StrCat("an interval must have 1 to ", kMostUnits, " units, not ", count));
  const int64_t micros = in.Int(0);
  const absl::CivilDay day = absl::ToCivilDay(TimeOf(micros), zone);
  const absl::CivilDay first(1970, 1, 1);
  absl::CivilDay start;
  switch (unit) {
    case ChUnit::kMonth:
    case ChUnit::kQuarter:
    case ChUnit::kYear: {
      const int64_t size = MonthsOf(unit) * count;
      const int64_t month = absl::CivilMonth(day) - absl::CivilMonth(first);
      start = absl::CivilDay(absl::CivilMonth(first) + FloorDiv(month, size) * size);
      break;
    }
    case ChUnit::kWeek: {
      const absl::CivilDay monday(1970, 1, 5);
      start = monday + FloorDiv(day - monday, 7 * count) * 7 * count;
      break;
    }
    case ChUnit::kDay:
      start = first + FloorDiv(day - first, count) * count;
      break;
    default: {
      const int64_t size = MicrosOf(unit) * count;
      // From midnight for hours, from 1970 for what is shorter than one.
      const int64_t origin = unit == ChUnit::kHour ? absl::ToUnixMicros(absl::FromCivil(day, zone)) : 0;
      return out.Int(origin + FloorDiv(micros - origin, size) * size);
    }
  }
  return out.Int(absl::ToUnixMicros(absl::FromCivil(start, zone)));
}

// Adds units, months to the end of a shorter month.
absl::Status AddUnits(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const ChUnit unit, UnitOf(in.Text(2)));
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(3)));
  const int64_t count = in.Int(1);
  if (MicrosOf(unit) > 0 && unit < ChUnit::kDay) {
    constexpr int64_t kMost = 253'402'300'799'999'999;
    int64_t sum = 0;
    const bool overflow =
        __builtin_mul_overflow(MicrosOf(unit), count, &sum) || __builtin_add_overflow(in.Int(0), sum, &sum);
    if (overflow || sum > kMost || sum < -kMost) return absl::OutOfRangeError("the time is out of range");
    return out.Int(sum);
  }
  if (count > kMostUnits || count < -kMostUnits) return absl::OutOfRangeError("the time is out of range");
  const absl::Time time = TimeOf(in.Int(0));
  const absl::CivilSecond second = absl::ToCivilSecond(time, zone);
  const int64_t fraction = in.Int(0) - FloorDiv(in.Int(0), 1'000'000) * 1'000'000;
  absl::CivilDay day(second);
  if (MicrosOf(unit) > 0) {
    day += count * (unit == ChUnit::kWeek ? 7 : 1);
  } else {
    const absl::CivilMonth month = absl::CivilMonth(day) + count * MonthsOf(unit);
    const absl::CivilDay last = absl::CivilDay(month + 1) - 1;
    day = std::min(absl::CivilDay(month) + (day.day() - 1), last);
  }
  if (day.year() < 1 || day.year() > 9999) return absl::OutOfRangeError("the time is out of range");
  const absl::CivilSecond moved(day.year(), day.month(), day.day(), second.hour(), second.minute(), second.second());
  return out.Int(absl::ToUnixMicros(absl::FromCivil(moved, zone)) + fraction);
}

int64_t WeekNumber(absl::CivilDay day) { return FloorDiv(day - absl::CivilDay(1970, 1, 5), 7); }

// Boundaries of units between the two times.
int64_t Boundaries(ChUnit unit, absl::Time a, absl::Time b, const absl::TimeZone& zone) {
  const absl::CivilSecond from = absl::ToCivilSecond(a, zone);
  const absl::CivilSecond to = absl::ToCivilSecond(b, zone);
  switch (unit) {
    case ChUnit::kMicrosecond:
      return absl::ToUnixMicros(b) - absl::ToUnixMicros(a);
    case ChUnit::kMillisecond:
      return absl::ToUnixMillis(b) - absl::ToUnixMillis(a);
    case ChUnit::kSecond:
      return absl::ToUnixSeconds(b) - absl::ToUnixSeconds(a);
    case ChUnit::kMinute:
      return absl::CivilMinute(to) - absl::CivilMinute(from);
    case ChUnit::kHour:
      return absl::CivilHour(to) - absl::CivilHour(from);
    case ChUnit::kDay:
      return absl::CivilDay(to) - absl::CivilDay(from);
    case ChUnit::kWeek:
      return WeekNumber(absl::CivilDay(to)) - WeekNumber(absl::CivilDay(from));
    case ChUnit::kMonth:
      return absl::CivilMonth(to) - absl::CivilMonth(from);
    case ChUnit::kQuarter:
      return (to.year() - from.year()) * 4 + (to.month() - 1) / 3 - (from.month() - 1) / 3;
    case ChUnit::kYear:
      return to.year() - from.year();
  }
  return 0;
}

absl::Status Difference(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const ChUnit unit, UnitOf(in.Text(0)));
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(3)));
  return out.Int(Boundaries(unit, TimeOf(in.Int(1)), TimeOf(in.Int(2)), zone));
}

// Complete units between the two times.
absl::Status Age(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const ChUnit unit, UnitOf(in.Text(0)));
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(3)));
  if (MicrosOf(unit) > 0) return out.Int((in.Int(2) - in.Int(1)) / MicrosOf(unit));
  const bool back = in.Int(2) < in.Int(1);
  const absl::Time first = TimeOf(back ? in.Int(2) : in.Int(1));
  const absl::Time last = TimeOf(back ? in.Int(1) : in.Int(2));
  const absl::CivilSecond from = absl::ToCivilSecond(first, zone);
  const absl::CivilSecond to = absl::ToCivilSecond(last, zone);
  int64_t months = absl::CivilMonth(to) - absl::CivilMonth(from);
  const auto rest = [](const absl::CivilSecond& time) { return time - absl::CivilSecond(absl::CivilMonth(time)); };
  if (rest(to) < rest(from)) --months;
  return out.Int((back ? -1 : 1) * (months / MonthsOf(unit)));
}

int64_t IsoWeek(absl::CivilDay day) {
  const absl::CivilDay thursday = day + (3 - static_cast<int>(absl::GetWeekday(day)));
  return (absl::GetYearDay(thursday) - 1) / 7 + 1;
}

absl::Status PartOfTime(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(2)));
  const absl::CivilSecond time = absl::ToCivilSecond(TimeOf(in.Int(0)), zone);
  const absl::CivilDay day(time);
  const std::string_view part = in.Text(1);
  const int64_t date = (time.year() * 100 + time.month()) * 100 + time.day();
  const std::pair<std::string_view, int64_t> parts[] = {
      {"year", time.year()},
      {"quarter", (time.month() - 1) / 3 + 1},
      {"month", time.month()},
      {"day", time.day()},
      {"hour", time.hour()},
      {"minute", time.minute()},
      {"second", time.second()},
      {"dow", static_cast<int64_t>(absl::GetWeekday(day)) + 1},
      {"doy", absl::GetYearDay(day)},
      {"isoweek", IsoWeek(day)},
      {"yyyymm", time.year() * 100 + time.month()},
      {"yyyymmdd", date},
      {"yyyymmddhhmmss", ((date * 100 + time.hour()) * 100 + time.minute()) * 100 + time.second()},
  };
  for (const auto& [name, value] : parts) {
    if (name == part) return out.Int(value);
  }
  return absl::InvalidArgumentError(StrCat("unknown part of a time '", part.substr(0, 30), "'"));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_start_of", "(TIMESTAMP, STRING, INT64, STRING) -> TIMESTAMP", StartOf, "$ch.start_of"},
    {"lq_ch_add_units", "(TIMESTAMP, INT64, STRING, STRING) -> TIMESTAMP", AddUnits, "$ch.add_units"},
    {"lq_ch_date_diff", "(STRING, TIMESTAMP, TIMESTAMP, STRING) -> INT64", Difference, "$ch.date_diff"},
    {"lq_ch_age", "(STRING, TIMESTAMP, TIMESTAMP, STRING) -> INT64", Age, "$ch.age"},
    {"lq_ch_time_part", "(TIMESTAMP, STRING, STRING) -> INT64", PartOfTime, "$ch.time_part"},
};

}  // namespace

std::optional<ChUnit> FindChUnit(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ChUnit>, 31> kNames = {{{"microsecond", ChUnit::kMicrosecond},
                                                                           {"microseconds", ChUnit::kMicrosecond},
                                                                           {"us", ChUnit::kMicrosecond},
                                                                           {"millisecond", ChUnit::kMillisecond},
                                                                           {"milliseconds", ChUnit::kMillisecond},
                                                                           {"ms", ChUnit::kMillisecond},
                                                                           {"second", ChUnit::kSecond},
                                                                           {"seconds", ChUnit::kSecond},
                                                                           {"ss", ChUnit::kSecond},
                                                                           {"s", ChUnit::kSecond},
                                                                           {"minute", ChUnit::kMinute},
                                                                           {"minutes", ChUnit::kMinute},
                                                                           {"mi", ChUnit::kMinute},
                                                                           {"n", ChUnit::kMinute},
                                                                           {"hour", ChUnit::kHour},
                                                                           {"hours", ChUnit::kHour},
                                                                           {"hh", ChUnit::kHour},
                                                                           {"h", ChUnit::kHour},
                                                                           {"day", ChUnit::kDay},
                                                                           {"days", ChUnit::kDay},
                                                                           {"dd", ChUnit::kDay},
                                                                           {"d", ChUnit::kDay},
                                                                           {"week", ChUnit::kWeek},
                                                                           {"weeks", ChUnit::kWeek},
                                                                           {"month", ChUnit::kMonth},
                                                                           {"months", ChUnit::kMonth},
                                                                           {"mm", ChUnit::kMonth},
                                                                           {"quarter", ChUnit::kQuarter},
                                                                           {"quarters", ChUnit::kQuarter},
                                                                           {"year", ChUnit::kYear},
                                                                           {"years", ChUnit::kYear}}};
  for (const auto& [known, unit] : kNames) {
    if (base::EqualsIgnoreCase(known, name)) return unit;
  }
  return std::nullopt;
}

FunctionEntries ChTimeFunctions() { return kEntries; }

}  // namespace logquery::functions
