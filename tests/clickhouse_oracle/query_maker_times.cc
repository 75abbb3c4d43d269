// Makes expressions of times and dates.
#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrCat;

std::string Maker::Unit() { return OneOf({"second", "minute", "hour", "day", "week", "month", "quarter", "year"}); }

std::string Maker::Interval() {
  return StrCat("INTERVAL ", OneOf({"1", "5", "15", "24", "30"}), " ",
                OneOf({"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH"}));
}

std::string Maker::AnyTime(const Source& source, int depth) {
  switch (Below(4)) {
    case 0:
      return DateTime(source, depth);
    case 1:
      return Date(source, depth);
    default:
      return Time(source, depth);
  }
}

std::string Maker::Time(const Source& source, int depth) {
  if (depth <= 0) return Column(Kind::kTime, source, "toDateTime64('2026-03-02 04:05:06.789', 3)");
  const std::string inner = Time(source, depth - 1);
  switch (Below(7)) {
    case 0:
      return StrCat("toDateTime64(", inner, ", ", OneOf({"0", "3", "6"}), ")");
    case 1:
      return StrCat("(", inner, source.has_defaults ? " + " : OneOf({" + ", " - "}), Interval(), ")");
    case 2:
      return StrCat("toStartOfSecond(", inner, ")");
    case 3:
      if (source.has_defaults) return StrCat(OneOf({"addHours(", "addDays(", "addMonths("}), inner, ", 40)");
      return StrCat(OneOf({"addHours(", "subtractDays(", "addMinutes(", "addMonths(", "addSeconds("}), inner, ", ",
                    OneOf({"1", "-2", "40"}), ")");
    case 4:
      return StrCat("date_trunc('", OneOf({"hour", "minute", "day", "second"}), "', ", inner, ")");
    case 5:
      return StrCat("if(", Condition(source, 0), ", ", inner, ", ", Time(source, 0), ")");
    default:
      return StrCat("parseDateTime64BestEffortOrNull(",
                    Chance(50) ? StrCat("toString(", Time(source, 0), ")")
                               : OneOf({"'2026-03-02T04:05:06.789Z'", "'x'", "''", "'2026-03-02 04:05'"}),
                    ", 3)");
  }
}

std::string Maker::DateTime(const Source& source, int depth) {
  if (depth <= 0 && Chance(30)) return Column(Kind::kDateTime, source, "toDateTime('2026-03-02 04:05:06')");
  const std::string inner = Time(source, depth > 1 ? 1 : 0);
  switch (Below(6)) {
    case 0:
      return StrCat("toDateTime(", inner, ")");
    case 1:
    case 2:
      return StrCat(OneOf({"toStartOfMinute(", "toStartOfHour(", "toStartOfDay(", "toStartOfFiveMinutes(",
                           "toStartOfFifteenMinutes(", "toStartOfTenMinutes("}),
                    inner, ")");
    case 3:
      return StrCat("toStartOfInterval(", inner, ", INTERVAL ", OneOf({"5", "7", "12"}),
                    OneOf({" MINUTE)", " HOUR)", " SECOND)", " DAY)"}));
    case 4:
      return StrCat("(toDateTime(", inner, source.has_defaults ? ") + " : OneOf({") + ", ") - "}),
                    OneOf({"60", "3600", "INTERVAL 2 DAY", "INTERVAL 1 MONTH"}), ")");
    default:
      return StrCat("fromUnixTimestamp(", OneOf({"1772409600", "toInt64(1772412345)"}), ")");
  }
}

std::string Maker::Date(const Source& source, int depth) {
  if (depth <= 0 && Chance(30)) return Column(Kind::kDate, source, "toDate('2026-03-02')");
  const std::string inner = Time(source, depth > 1 ? 1 : 0);
  switch (Below(5)) {
    case 0:
      return StrCat("(toDate(", inner,
                    source.has_defaults ? ") + 1)" : OneOf({") + 1)", ") - 1)", ") + INTERVAL 1 MONTH)"}));
    case 1:
      return StrCat(OneOf({"toStartOfMonth(", "toStartOfYear(", "toStartOfQuarter(", "toMonday(", "toStartOfWeek("}),
                    inner, ")");
    case 2:
      return StrCat("date_trunc('", OneOf({"month", "week", "year", "quarter"}), "', ", inner, ")");
    case 3:
      return StrCat("toStartOfInterval(", inner, ", INTERVAL ",
                    OneOf({"1 WEEK", "2 WEEK", "1 MONTH", "3 MONTH", "1 YEAR"}), ")");
    default:
      return StrCat("toDate(", inner, ")");
  }
}

}  // namespace logquery::clickhouse_oracle
