// DATE_BUCKET, DATETIME_BUCKET and TIMESTAMP_BUCKET: the beginning of the bucket that holds a value. DuckDB's
// time_bucket moves buckets of months to the first day of a month, whatever the origin's day is.
#include "absl/numeric/int128.h"
#include "absl/time/civil_time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/calendar_range.h"

namespace logquery::functions {
namespace {

constexpr absl::CivilDay kEpoch(1970, 1, 1);

absl::Status WidthError(std::string_view why) {
  return absl::InvalidArgumentError(base::StrCat("the width of a bucket ", why));
}

absl::Status CheckWidth(const Interval& width, bool takes_months) {
  if (width.months != 0 && (width.days != 0 || width.micros != 0)) {
    return WidthError("is either months, or days and less");
  }
  if (width.months != 0 && !takes_months) return WidthError("of a TIMESTAMP takes no months, quarters or years");
  const absl::int128 micros = absl::int128(width.days) * model::kDayMicros + width.micros;
  if (width.months <= 0 && micros <= 0) return WidthError("must be positive");
  return absl::OkStatus();
}

absl::int128 FloorDivide(absl::int128 numerator, absl::int128 divisor) {
  const absl::int128 quotient = numerator / divisor;
  return numerator % divisor < 0 ? quotient - 1 : quotient;
}

// The first day of the month that lies so many months behind the one of `day`.
absl::CivilMonth MonthBehind(absl::CivilDay day, int64_t months) { return absl::CivilMonth(day) + months; }

// The same day of another month, or its last day if it has no such day.
absl::CivilDay DayInMonth(absl::CivilMonth month, int day) {
  const absl::CivilDay last = absl::CivilDay(month + 1) - 1;
  return day > last.day() ? last : absl::CivilDay(month.year(), month.month(), day);
}

struct Moment {
  absl::CivilDay day;
  int64_t micros = 0;  // since midnight
  friend bool operator>(const Moment& a, const Moment& b) {
    return a.day > b.day || (a.day == b.day && a.micros > b.micros);
  }
};

Moment MomentOf(int64_t micros) {
  const auto days = static_cast<int64_t>(FloorDivide(micros, model::kDayMicros));
  return {kEpoch + days, micros - days * model::kDayMicros};
}

int64_t MicrosOf(const Moment& moment) { return (moment.day - kEpoch) * model::kDayMicros + moment.micros; }

// The last of the moments origin + n × width that is not after the value.
int64_t BucketOfMonths(int64_t value, int64_t width, int64_t origin) {
  const Moment wanted = MomentOf(value), first = MomentOf(origin);
  const int64_t apart = absl::CivilMonth(wanted.day) - absl::CivilMonth(first.day);
  auto n = static_cast<int64_t>(FloorDivide(apart, width));
  Moment begin{DayInMonth(MonthBehind(first.day, n * width), first.day.day()), first.micros};
  if (begin > wanted) begin.day = DayInMonth(MonthBehind(first.day, --n * width), first.day.day());
  return MicrosOf(begin);
}

absl::StatusOr<int64_t> BucketOf(int64_t value, const Interval& width, int64_t origin) {
  int64_t begin = 0;
  if (width.months > 0) {
    begin = BucketOfMonths(value, width.months, origin);
  } else {
    const absl::int128 micros = absl::int128(width.days) * model::kDayMicros + width.micros;
    const absl::int128 wide = origin + FloorDivide(absl::int128(value) - origin, micros) * micros;
    begin = wide < model::kFirstMicros ? model::kFirstMicros - 1 : static_cast<int64_t>(wide);
  }
  if (begin >= model::kFirstMicros) return begin;
  return absl::OutOfRangeError("the bucket begins before the year 1");
}

absl::Status OfMoments(const Row& in, Output& out, bool takes_months) {
  const Interval width = in.IntervalAt(1);
  LOGQUERY_RETURN_IF_ERROR(CheckWidth(width, takes_months));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin, BucketOf(in.Int(0), width, in.Int(2)));
  return out.Int(begin);
}

absl::Status OfDatetime(const Row& in, Output& out) { return OfMoments(in, out, true); }
absl::Status OfTimestamp(const Row& in, Output& out) { return OfMoments(in, out, false); }

absl::Status OfDate(const Row& in, Output& out) {
  const Interval width = in.IntervalAt(1);
  LOGQUERY_RETURN_IF_ERROR(CheckWidth(width, true));
  if (width.micros != 0) return WidthError("of a DATE takes no parts smaller than a day");
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin,
                            BucketOf(in.Days(0) * model::kDayMicros, width, in.Days(2) * model::kDayMicros));
  return out.Days(static_cast<int32_t>(begin / model::kDayMicros));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_date_bucket", "(DATE, INTERVAL, DATE) -> DATE", OfDate},
    {"lq_datetime_bucket", "(DATETIME, INTERVAL, DATETIME) -> DATETIME", OfDatetime},
    {"lq_timestamp_bucket", "(TIMESTAMP, INTERVAL, TIMESTAMP) -> TIMESTAMP", OfTimestamp},
};

}  // namespace

FunctionEntries TimeBucketFunctions() { return kEntries; }

}  // namespace logquery::functions
