// Builds dates and times from numbers: DATE(2026, 2, 28), TIME(8, 30, 0), TIMESTAMP_SECONDS(n), a DATE plus a number of
// days; and from text.
//
// DuckDB's make_date and similar functions accept year 0, hour 24 and second 60, and sums of days overflow before they
// can be checked.
#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/calendar_range.h"
#include "lib/model/time_text.h"

namespace logquery::functions {
namespace {

constexpr int64_t kSecondMicros = 1'000'000;
constexpr int64_t kDaySeconds = 86'400;

// "DATE(2026, 2, 30) is not a valid date".
absl::Status BadParts(std::string_view what, const Row& in) {
  std::string parts;
  for (size_t i = 0; i < in.size(); ++i) base::StrAppend(&parts, i == 0 ? "" : ", ", in.Int(i));
  return absl::InvalidArgumentError(base::StrCat(what, "(", parts, ") is not a valid ", base::ToLower(what)));
}

// Days since 1970 of year, month and day, the first three arguments.
absl::StatusOr<int64_t> DaysOf(const Row& in, std::string_view what) {
  const int64_t year = in.Int(0), month = in.Int(1), day = in.Int(2);
  if (year < 1 || year > 9'999 || month < 1 || month > 12 || day < 1 || day > 31) return BadParts(what, in);
  const absl::CivilDay date(year, static_cast<int>(month), static_cast<int>(day));
  if (date.day() != day) return BadParts(what, in);
  return date - absl::CivilDay(1970, 1, 1);
}

// Seconds of the day of hour, minute and second, the arguments from `first`.
absl::StatusOr<int64_t> SecondsOf(const Row& in, size_t first, std::string_view what) {
  const int64_t hour = in.Int(first), minute = in.Int(first + 1), second = in.Int(first + 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return BadParts(what, in);
  return (hour * 60 + minute) * 60 + second;
}

absl::Status MakeDate(const Row& in, Output& out) {
  const absl::StatusOr<int64_t> days = DaysOf(in, "DATE");
  return days.ok() ? out.Days(static_cast<int32_t>(*days)) : days.status();
}

absl::Status MakeTime(const Row& in, Output& out) {
  const absl::StatusOr<int64_t> seconds = SecondsOf(in, 0, "TIME");
  return seconds.ok() ? out.Int(*seconds * kSecondMicros) : seconds.status();
}

absl::Status MakeDatetime(const Row& in, Output& out) {
  const absl::StatusOr<int64_t> days = DaysOf(in, "DATETIME");
  if (!days.ok()) return days.status();
  const absl::StatusOr<int64_t> seconds = SecondsOf(in, 3, "DATETIME");
  if (!seconds.ok()) return seconds.status();
  return out.Int((*days * kDaySeconds + *seconds) * kSecondMicros);
}

// (a number of units since 1970, the unit in microseconds)
absl::Status TimestampOf(const Row& in, Output& out) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(in.Int(0), in.Int(1), &micros) || !model::IsTimeInRange(micros)) {
    return absl::InvalidArgumentError(
        base::StrCat("a TIMESTAMP is out of range: ", in.Int(0), " is not in the years from 0001 to 9999"));
  }
  return out.Int(micros);
}

absl::Status DateOf(int64_t days, const Row& in, bool overflows, Output& out) {
  if (overflows || !model::IsDayInRange(days)) {
    return absl::InvalidArgumentError(
        base::StrCat("a DATE is out of range: it has to be in the years from 0001 to 9999, ", "and ", in.Int(1),
                     " days lead out of them"));
  }
  return out.Days(static_cast<int32_t>(days));
}

absl::Status DatePlus(const Row& in, Output& out) {
  int64_t days = 0;
  const bool overflows = __builtin_add_overflow(static_cast<int64_t>(in.Days(0)), in.Int(1), &days);
  return DateOf(days, in, overflows, out);
}

absl::Status DateMinus(const Row& in, Output& out) {
  int64_t days = 0;
  const bool overflows = __builtin_sub_overflow(static_cast<int64_t>(in.Days(0)), in.Int(1), &days);
  return DateOf(days, in, overflows, out);
}

// Text of the right form, which may name a leap second: that is the beginning of the second after it.
absl::Status Given(const absl::StatusOr<Value>& value, std::string_view what, const Row& in, Output& out) {
  if (!value.ok() || value->int64_value() > model::kLastMicros) {
    return absl::InvalidArgumentError(
        base::StrCat("Invalid ", what, ": \"", in.Text(0), "\"; there is no such day or time of day"));
  }
  return out.Int(value->int64_value());
}

absl::Status TimeOfText(const Row& in, Output& out) { return Given(model::ParseTimeText(in.Text(0)), "time", in, out); }
absl::Status DatetimeOfText(const Row& in, Output& out) {
  return Given(model::ParseDatetimeText(in.Text(0)), "timestamp", in, out);
}
// Text with an offset, or with the name of a zone.
absl::Status TimestampOfText(const Row& in, Output& out) {
  const absl::StatusOr<Value> value = model::ParseTimestampText(in.Text(0), "UTC");
  if (!value.ok()) return value.status();
  return out.Int(value->int64_value());
}

constexpr FunctionEntry kEntries[] = {
    {"lq_time_of_text", "(STRING) -> TIME", TimeOfText},
    {"lq_datetime_of_text", "(STRING) -> DATETIME", DatetimeOfText},
    {"lq_timestamp_of_text", "(STRING) -> TIMESTAMP", TimestampOfText},
    {"lq_make_date", "(INT64, INT64, INT64) -> DATE", MakeDate, "DATE"},
    {"lq_make_time", "(INT64, INT64, INT64) -> TIME", MakeTime, "TIME"},
    {"lq_make_datetime", "(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME", MakeDatetime, "DATETIME"},
    {"lq_timestamp_of", "(INT64, INT64) -> TIMESTAMP", TimestampOf},
    {"lq_date_plus", "(DATE, INT64) -> DATE", DatePlus, "$add"},
    {"lq_date_minus", "(DATE, INT64) -> DATE", DateMinus, "$subtract"},
};

}  // namespace

FunctionEntries MakeTimeFunctions() { return kEntries; }

}  // namespace logquery::functions
