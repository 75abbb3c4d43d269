// Collects the date and time fields that the elements of a PARSE_TIMESTAMP format read.
//
// Source: GoogleSQL's rules for PARSE_DATE and similar functions. Fields that are not set have the value of 1970-01-01 00:00:00.
// If several elements set the same field, the last one counts. A day of the year or a week overrides earlier months and days. ISO
// year elements count only if no calendar year, month or day is set; a weekday counts only with a week.
#ifndef LOGQUERY_LIB_FUNCTIONS_TIME_FIELDS_H_
#define LOGQUERY_LIB_FUNCTIONS_TIME_FIELDS_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"

namespace logquery::functions {

class TimeFields {
 public:
  void SetYear(int64_t year);           // 2026
  void SetCentury(int64_t century);     // 20
  void SetYearOfCentury(int64_t year);  // 0 to 99: in the century that is set, otherwise 1969 to 2068
  void SetQuarter(int64_t quarter);
  void SetMonth(int64_t month);
  void SetDay(int64_t day);
  void SetDayOfYear(int64_t day);
  void SetSundayWeek(int64_t week);  // 0 to 53; week 1 starts with the year's first Sunday
  void SetMondayWeek(int64_t week);
  void SetWeekday(int64_t day);  // 1 to 7 from Monday; 0 also means Sunday
  void SetIsoYear(int64_t year);
  void SetIsoYearOfCentury(int64_t year);
  void SetIsoWeek(int64_t week);
  void SetIsoDayOfYear(int64_t day);

  void SetHour(int64_t hour);
  void SetHour12(int64_t hour);  // 1 to 12
  void SetAfternoon(bool afternoon) { afternoon_ = afternoon; }
  void SetMinute(int64_t minute) { minute_ = minute; }
  void SetSecond(int64_t second) { second_ = second; }  // 60 is the first second of the next minute
  void SetMicros(int64_t micros) { micros_ = micros; }
  // Sets the time as seconds since 1970 in UTC, instead of all other fields.
  void SetSinceEpoch(int64_t seconds) { since_epoch_ = seconds; }
  bool is_since_epoch() const { return since_epoch_.has_value(); }

  // Returns microseconds since 1970-01-01 00:00:00 in the same local time. InvalidArgument: the day does not exist, or
  // is outside of the years 1 to 9999; the message does not contain the parsed text.
  absl::StatusOr<int64_t> ClockMicros() const;

 private:
  // A field, and its position in the order in which fields were set; 0: not set.
  struct Field {
    int64_t value = 0;
    int place = 0;
    bool is_set() const { return place != 0; }
  };

  void Set(Field& field, int64_t value) { field = {value, ++places_}; }
  int64_t Year() const;
  absl::StatusOr<absl::CivilDay> Date() const;
  absl::StatusOr<absl::CivilDay> CalendarDate() const;
  absl::StatusOr<absl::CivilDay> IsoDate() const;
  absl::StatusOr<absl::CivilDay> DayOfWeek(int64_t year) const;
  // Returns whether the day of the year counts, rather than the week.
  bool DayCounts(const Field& day, const Field& week) const;

  int places_ = 0;
  Field year_{1970, 0}, month_{1, 0}, day_{1, 0};
  std::optional<int64_t> century_;
  bool century_is_given_ = false;
  int64_t year_of_century_ = 0;
  Field day_of_year_, week_, weekday_, iso_year_, iso_week_, iso_day_of_year_;
  absl::Weekday week_begins_ = absl::Weekday::monday;
  int64_t hour_ = 0, minute_ = 0, second_ = 0, micros_ = 0;
  bool is_hour12_ = false, afternoon_ = false;
  std::optional<int64_t> since_epoch_;
};

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_TIME_FIELDS_H_
