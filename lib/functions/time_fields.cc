// The setters record the order of the elements; the fields that count are chosen at the end.
#include "lib/functions/time_fields.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::functions {
namespace {

using absl::CivilDay;
using base::StrCat;

absl::Status NoSuchDay(int64_t year, int64_t month, int64_t day) {
  return absl::InvalidArgumentError(StrCat("there is no day ", year, "-", month, "-", day));
}

absl::Weekday WeekdayOf(int64_t day) {
  return static_cast<absl::Weekday>((day + 6) % 7);  // absl counts from Monday, 0
}

CivilDay FirstDayOfIsoYear(int64_t year) { return absl::PrevWeekday(CivilDay(year, 1, 5), absl::Weekday::monday); }

}  // namespace

void TimeFields::SetYear(int64_t year) {
  Set(year_, year);
  century_.reset();
  century_is_given_ = false;
}

void TimeFields::SetCentury(int64_t century) {
  if (!century_) year_of_century_ = 0;
  Set(year_, 0);
  century_ = century;
  century_is_given_ = true;
}

void TimeFields::SetYearOfCentury(int64_t year) {
  Set(year_, 0);
  year_of_century_ = year;
  if (!century_is_given_) century_ = year < 69 ? 20 : 19;
}

void TimeFields::SetQuarter(int64_t quarter) {
  Set(month_, (quarter - 1) * 3 + 1);
  Set(day_, 1);
}

void TimeFields::SetMonth(int64_t month) { Set(month_, month); }
void TimeFields::SetDay(int64_t day) { Set(day_, day); }
void TimeFields::SetDayOfYear(int64_t day) { Set(day_of_year_, day); }

void TimeFields::SetSundayWeek(int64_t week) {
  Set(week_, week);
  week_begins_ = absl::Weekday::sunday;
}

void TimeFields::SetMondayWeek(int64_t week) {
  Set(week_, week);
  week_begins_ = absl::Weekday::monday;
}

void TimeFields::SetWeekday(int64_t day) { Set(weekday_, day); }
void TimeFields::SetIsoYear(int64_t year) { Set(iso_year_, year); }
void TimeFields::SetIsoYearOfCentury(int64_t year) { Set(iso_year_, year + (year < 69 ? 2'000 : 1'900)); }
void TimeFields::SetIsoWeek(int64_t week) { Set(iso_week_, week); }
void TimeFields::SetIsoDayOfYear(int64_t day) { Set(iso_day_of_year_, day); }

void TimeFields::SetHour(int64_t hour) {
  hour_ = hour;
  is_hour12_ = false;
}

void TimeFields::SetHour12(int64_t hour) {
  hour_ = hour % 12;
  is_hour12_ = true;
}

int64_t TimeFields::Year() const { return century_ ? *century_ * 100 + year_of_century_ : year_.value; }

bool TimeFields::DayCounts(const Field& day, const Field& week) const {
  return day.is_set() && (!week.is_set() || day.place > week.place || !weekday_.is_set());
}

absl::StatusOr<CivilDay> TimeFields::IsoDate() const {
  const int64_t year = iso_year_.value;
  if (year < 1 || year > 9'999)
    return absl::InvalidArgumentError(StrCat("the ISO year ", year, " is not in 1 to 9999"));
  const CivilDay first = FirstDayOfIsoYear(year);
  const int64_t days = FirstDayOfIsoYear(year + 1) - first;
  if (DayCounts(iso_day_of_year_, iso_week_)) {
    if (iso_day_of_year_.value <= days) return first + (iso_day_of_year_.value - 1);
    return absl::InvalidArgumentError(StrCat("the ISO year ", year, " has ", days, " days"));
  }
  if (!iso_week_.is_set()) return first;
  if (iso_week_.value * 7 > days) {
    return absl::InvalidArgumentError(StrCat("the ISO year ", year, " has ", days / 7, " weeks"));
  }
  const CivilDay monday = first + 7 * (iso_week_.value - 1);
  return weekday_.is_set() ? monday + (weekday_.value + 6) % 7 : monday;
}

// The day of the week that is set, in the week that is set; without a day of the week, the week's first.
absl::StatusOr<CivilDay> TimeFields::DayOfWeek(int64_t year) const {
  const CivilDay first = absl::NextWeekday(CivilDay(year, 1, 1) - 1, week_begins_);  // of week 1
  const int64_t least = first.day() == 1 ? 1 : 0;
  const int64_t most = (CivilDay(year, 12, 31) - first) / 7 + 1;
  if (week_.value < least || week_.value > most) {
    return absl::InvalidArgumentError(StrCat("the year ", year, " has weeks ", least, " to ", most));
  }
  const CivilDay begin = first + 7 * (week_.value - 1);
  return weekday_.is_set() ? absl::NextWeekday(begin - 1, WeekdayOf(weekday_.value)) : begin;
}

absl::StatusOr<CivilDay> TimeFields::CalendarDate() const {
  int64_t year = Year(), month = month_.value, day = day_.value;
  if (year < 1 || year > 9'999) return absl::InvalidArgumentError(StrCat("the year ", year, " is not in 1 to 9999"));
  if (day_of_year_.is_set() || week_.is_set()) {
    const bool by_day = DayCounts(day_of_year_, week_);
    CivilDay found = CivilDay(year, 1, 1) + (day_of_year_.value - 1);
    if (!by_day) {
      LOGQUERY_ASSIGN_OR_RETURN(found, DayOfWeek(year));
    } else if (found.year() != year) {
      return absl::InvalidArgumentError(StrCat("the year ", year, " has 365 days"));
    }
    const int place = by_day ? day_of_year_.place : week_.place;
    if (place > year_.place) year = found.year();
    if (place > month_.place) month = found.month();
    if (place > day_.place) day = found.day();
  }
  const CivilDay date(year, static_cast<int>(month), static_cast<int>(day));
  if (date.year() != year || date.month() != month || year < 1 || year > 9'999) return NoSuchDay(year, month, day);
  return date;
}

absl::StatusOr<CivilDay> TimeFields::Date() const {
  const bool by_calendar =
      year_.is_set() || month_.is_set() || day_.is_set() || day_of_year_.is_set() || week_.is_set();
  return !by_calendar && iso_year_.is_set() ? IsoDate() : CalendarDate();
}

absl::StatusOr<int64_t> TimeFields::ClockMicros() const {
  if (since_epoch_) return *since_epoch_ * 1'000'000;
  LOGQUERY_ASSIGN_OR_RETURN(const CivilDay date, Date());
  const int64_t hour = hour_ + (is_hour12_ && afternoon_ ? 12 : 0);
  const int64_t seconds = (((date - CivilDay(1970, 1, 1)) * 24 + hour) * 60 + minute_) * 60 + second_;
  return seconds * 1'000'000 + (second_ == 60 ? 0 : micros_);
}

}  // namespace logquery::functions
