// Values of functions over dates, times and intervals, as GoogleSQL's documentation has them.
#include <catch2/catch_test_macros.hpp>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }

// "2026-01-31 08:00:00.25", or a date alone.
int64_t Micros(const char* text) {
  absl::Time time;
  std::string error;
  for (const char* format : {"%Y-%m-%d %H:%M:%E*S", "%Y-%m-%d"}) {
    if (absl::ParseTime(format, text, &time, &error)) return absl::ToUnixMicros(time);
  }
  return -1;
}

Value Ts(const char* text) { return Value::TimestampMicros(Micros(text)); }
Value Dt(const char* text) { return Value::Datetime(Micros(text)); }
Value D(const char* text) { return Value::Date(Micros(text) / 86'400'000'000); }
Value T(int hour, int minute, int second, int64_t micros = 0) {
  return Value::Time(((hour * 60 + minute) * 60 + second) * 1'000'000LL + micros);
}
Value Iv(int64_t months, int64_t days, int64_t micros) { return Value::IntervalOf({months, days, micros}); }

struct Case {
  const char* function;
  std::vector<Value> args;
  Value expected;
};

void CheckAll(const std::vector<Case>& cases) {
  for (const Case& c : cases) CheckCall(c.function, c.args, c.expected);
}

TEST_CASE("parts") {
  const Value ts = Ts("2024-06-02 10:11:12.345678");  // a Sunday
  const std::vector<std::pair<const char*, int64_t>> parts = {
      {"YEAR", 2024},       {"QUARTER", 2},          {"MONTH", 6},
      {"DAY", 2},           {"DAYOFWEEK", 1},        {"DAYOFYEAR", 154},
      {"HOUR", 10},         {"MINUTE", 11},          {"SECOND", 12},
      {"MILLISECOND", 345}, {"MICROSECOND", 345678}, {"WEEK", 22},
      {"WEEK(MONDAY)", 22}, {"WEEK(SATURDAY)", 22},  {"ISOWEEK", 22},
      {"ISOYEAR", 2024}};
  for (const auto& [part, expected] : parts) CheckCall("$extract", {ts, S(part)}, I(expected));
  CheckAll({
      // 2024 begins with a Monday.
      {"$extract", {D("2024-01-01"), S("WEEK")}, I(0)},
      {"$extract", {D("2024-01-01"), S("WEEK(MONDAY)")}, I(1)},
      {"$extract", {D("2024-01-07"), S("WEEK")}, I(1)},
      {"$extract", {D("2024-12-30"), S("ISOYEAR")}, I(2025)},
      {"$extract", {T(12, 34, 56, 999'999), S("MILLISECOND")}, I(999)},
      {"$extract", {ts, S("HOUR"), S("America/New_York")}, I(6)},
      {"$extract", {ts, S("HOUR"), S("+05:30")}, I(15)},
      {"$extract", {Iv(14, 40, 90'061'500'000), S("YEAR")}, I(1)},
      {"$extract", {Iv(14, 40, 90'061'500'000), S("HOUR")}, I(25)},
      {"$extract", {Iv(14, 40, 90'061'500'000), S("MILLISECOND")}, I(500)},
      {"$extract_date", {ts, S("Asia/Tokyo")}, D("2024-06-02")},
      {"$extract_time", {ts, S("Asia/Tokyo")}, T(19, 11, 12, 345'678)},
  });
  CHECK(absl::IsInvalidArgument(Evaluate("$extract", {D("2024-01-01"), S("HOUR")}, ArgumentForm::kLiterals).status()));
}

TEST_CASE("truncation") {
  const Value ts = Ts("2024-06-02 10:11:12.345678");
  CheckAll({
      {"TIMESTAMP_TRUNC", {ts, S("MILLISECOND")}, Ts("2024-06-02 10:11:12.345")},
      {"TIMESTAMP_TRUNC", {ts, S("MINUTE")}, Ts("2024-06-02 10:11:00")},
      {"TIMESTAMP_TRUNC", {ts, S("DAY")}, Ts("2024-06-02")},
      {"TIMESTAMP_TRUNC", {ts, S("WEEK")}, Ts("2024-06-02")},
      {"TIMESTAMP_TRUNC", {ts, S("WEEK(MONDAY)")}, Ts("2024-05-27")},
      {"TIMESTAMP_TRUNC", {ts, S("ISOWEEK")}, Ts("2024-05-27")},
      {"TIMESTAMP_TRUNC", {ts, S("WEEK(SATURDAY)")}, Ts("2024-06-01")},
      {"TIMESTAMP_TRUNC", {ts, S("MONTH")}, Ts("2024-06-01")},
      {"TIMESTAMP_TRUNC", {ts, S("QUARTER")}, Ts("2024-04-01")},
      {"TIMESTAMP_TRUNC", {ts, S("YEAR")}, Ts("2024-01-01")},
      {"TIMESTAMP_TRUNC", {ts, S("ISOYEAR")}, Ts("2024-01-01")},
      {"TIMESTAMP_TRUNC", {ts, S("DAY"), S("America/New_York")}, Ts("2024-06-02 04:00:00")},
      {"TIMESTAMP_TRUNC", {ts, S("HOUR"), S("Asia/Kolkata")}, Ts("2024-06-02 09:30:00")},
      // 01:30 in New York, the second time that night: its hour began after clocks were set back.
      {"TIMESTAMP_TRUNC", {Ts("2024-11-03 06:30:00"), S("HOUR"), S("America/New_York")}, Ts("2024-11-03 06:00:00")},
      {"TIMESTAMP_TRUNC", {Ts("1969-12-31 23:59:59.5"), S("SECOND")}, Ts("1969-12-31 23:59:59")},
      {"DATE_TRUNC", {D("2024-06-02"), S("WEEK(TUESDAY)")}, D("2024-05-28")},
      {"DATETIME_TRUNC", {Dt("2024-06-02 10:11:12"), S("DAY")}, Dt("2024-06-02")},
      {"TIME_TRUNC", {T(10, 11, 12, 5), S("MINUTE")}, T(10, 11, 0)},
      {"LAST_DAY", {D("2024-02-03")}, D("2024-02-29")},
      {"LAST_DAY", {Dt("2020-07-24 12:34:56"), S("WEEK")}, D("2020-07-25")},
      {"LAST_DAY", {D("2020-07-24"), S("WEEK(MONDAY)")}, D("2020-07-26")},
      {"LAST_DAY", {D("2020-07-10"), S("QUARTER")}, D("2020-09-30")},
      {"LAST_DAY", {D("2020-12-31"), S("ISOYEAR")}, D("2021-01-03")},
      {"TIMESTAMP_BUCKET", {Ts("2020-02-15 14:57:39"), Iv(0, 0, 1'200'000'000)}, Ts("2020-02-15 14:40:00")},
      {"DATE_BUCKET", {D("2020-02-15"), Iv(0, 7, 0), D("2150-12-11")}, D("2020-02-14")},
      {"DATE_BUCKET", {D("2020-02-15"), Iv(1, 0, 0)}, D("2020-02-01")},
      {"DATE_BUCKET", {D("2020-02-10"), Iv(1, 0, 0), D("2020-01-15")}, D("2020-01-15")},
      {"DATE_BUCKET", {D("2020-02-29"), Iv(1, 0, 0), D("2019-12-31")}, D("2020-02-29")},
      {"DATE_BUCKET", {D("1899-12-31"), Iv(12, 0, 0)}, D("1899-01-01")},
  });
}

TEST_CASE("zones") {
  CheckAll({
      {"DATETIME", {Ts("2024-06-02 10:00:00"), S("America/New_York")}, Dt("2024-06-02 06:00:00")},
      {"DATETIME", {Ts("2024-06-02 10:00:00"), S("-03:30")}, Dt("2024-06-02 06:30:00")},
      {"DATETIME", {Ts("2024-06-02 10:00:00"), S("UTC")}, Dt("2024-06-02 10:00:00")},
      {"TIMESTAMP", {Dt("2024-06-02 06:00:00"), S("America/New_York")}, Ts("2024-06-02 10:00:00")},
      // Twice that night, and never: the first of both; as before the change.
      {"TIMESTAMP", {Dt("2024-11-03 01:30:00"), S("America/New_York")}, Ts("2024-11-03 05:30:00")},
      {"TIMESTAMP", {Dt("2024-03-10 02:30:00"), S("America/New_York")}, Ts("2024-03-10 07:30:00")},
      {"TIMESTAMP", {S("2024-11-03 01:30:00 America/New_York")}, Ts("2024-11-03 05:30:00")},
      {"TIMESTAMP", {S("2024-03-10 02:30:00 America/New_York")}, Ts("2024-03-10 07:30:00")},
      // Clocks that are set by half an hour, and days that clocks skip the beginning of.
      {"TIMESTAMP", {Dt("2024-04-07 01:45:00"), S("Australia/Lord_Howe")}, Ts("2024-04-06 14:45:00")},
      {"TIMESTAMP", {Dt("2018-11-04 00:00:00"), S("America/Sao_Paulo")}, Ts("2018-11-04 03:00:00")},
      {"TIMESTAMP_TRUNC", {Ts("2018-11-04 12:00:00"), S("DAY"), S("America/Sao_Paulo")}, Ts("2018-11-04 03:00:00")},
      // Before zones, by the sun: 4 hours, 56 minutes and 2 seconds behind.
      {"DATETIME", {Ts("1800-01-01 12:00:00"), S("America/New_York")}, Dt("1800-01-01 07:03:58")},
      {"TIMESTAMP", {D("2024-06-02"), S("Asia/Tokyo")}, Ts("2024-06-01 15:00:00")},
      {"TIMESTAMP", {S("2024-06-02 10:00:00+02:00")}, Ts("2024-06-02 08:00:00")},
      {"TIMESTAMP", {S("2024-06-02"), S("Asia/Tokyo")}, Ts("2024-06-01 15:00:00")},
      {"DATE", {Ts("2024-06-02 23:00:00"), S("Asia/Tokyo")}, D("2024-06-03")},
      {"TIME", {Ts("2024-06-02 23:00:00")}, T(23, 0, 0)},
      {"STRING", {Ts("2024-06-02 10:00:00.5"), S("Asia/Kolkata")}, S("2024-06-02 15:30:00.500+05:30")},
  });
  CheckError("DATETIME", {Ts("2024-06-02"), S("Nowhere/Land")}, "no time zone 'Nowhere/Land'");
  CheckError("DATETIME", {Ts("2024-06-02"), S("+15:00")}, "no time zone '+15:00'");
}

TEST_CASE("truncation, last days and zones lead to no time outside the years 0001 to 9999") {
  const Value first = Ts("0001-01-01 00:00:00");
  const Value last = Ts("9999-12-31 23:59:59");
  CheckAll({
      {"DATE_TRUNC", {D("0001-01-01"), S("ISOWEEK")}, D("0001-01-01")},
      {"DATE_TRUNC", {D("0001-01-01"), S("ISOYEAR")}, D("0001-01-01")},
      {"DATE_TRUNC", {D("0001-01-07"), S("WEEK")}, D("0001-01-07")},
      {"TIMESTAMP_TRUNC", {first, S("WEEK(MONDAY)")}, first},
      {"LAST_DAY", {D("0001-01-01"), S("WEEK")}, D("0001-01-06")},
      {"LAST_DAY", {D("9999-12-31"), S("WEEK(SATURDAY)")}, D("9999-12-31")},
      {"DATE", {first, S("+05:00")}, D("0001-01-01")},
      {"TIMESTAMP", {Dt("0001-01-01 05:00:00"), S("+05:00")}, first},
      {"TIMESTAMP", {S("0001-01-01 05:00:00+05")}, first},
  });
  const std::string range = "has to be in the years from 0001 to 9999";
  CheckError("DATE_TRUNC", {D("0001-01-01"), S("WEEK")}, range);
  CheckError("DATE_TRUNC", {D("0001-01-01"), S("WEEK(TUESDAY)")}, range);
  CheckError("DATETIME_TRUNC", {Dt("0001-01-06"), S("WEEK")}, range);
  CheckError("TIMESTAMP_TRUNC", {first, S("WEEK(SATURDAY)")}, range);
  CheckError("TIMESTAMP_TRUNC", {first, S("HOUR"), S("+05:30")}, range);
  CheckError("TIMESTAMP_TRUNC", {first, S("DAY"), S("-05:00")}, range);
  CheckError("LAST_DAY", {D("9999-12-31"), S("WEEK")}, range);
  CheckError("LAST_DAY", {D("9999-12-31"), S("ISOWEEK")}, range);
  CheckError("LAST_DAY", {Dt("9999-12-31 01:00:00"), S("ISOYEAR")}, range);
  CheckError("DATE", {last, S("+01:00")}, range);
  CheckError("DATETIME", {first, S("America/New_York")}, range);
  CheckError("$extract_date", {last, S("Asia/Tokyo")}, range);
  CheckError("FORMAT_TIMESTAMP", {S("%F"), last, S("+01:00")}, range);
  CheckError("STRING", {first, S("-01:00")}, range);
  CheckError("TIMESTAMP", {Dt("0001-01-01"), S("+01:00")}, range);
  CheckError("TIMESTAMP", {D("0001-01-01"), S("Asia/Tokyo")}, range);
  CheckError("TIMESTAMP", {S("0001-01-01 00:00:00+05")}, "0001-01-01 00:00:00+05 is out of the range of TIMESTAMP");
}

TEST_CASE("sums and differences") {
  CheckAll({
      {"$add", {D("2024-01-31"), I(1)}, D("2024-02-01")},
      {"$add", {D("2024-01-31"), Iv(1, 0, 0)}, Dt("2024-02-29")},
      {"$subtract", {D("2024-03-01"), D("2024-02-01")}, Iv(0, 29, 0)},
      {"$subtract", {Ts("2024-03-01"), Ts("2024-02-29")}, Iv(0, 0, 86'400'000'000)},
      {"$add", {Ts("2024-03-01"), Iv(0, 1, 5)}, Ts("2024-03-02 00:00:00.000005")},
      {"$multiply", {Iv(1, 2, 3), I(-2)}, Iv(-2, -4, -6)},
      {"$divide", {Iv(1, 0, 0), I(2)}, Iv(0, 15, 0)},
      {"TIME_ADD", {T(10, 0, 0), Iv(0, 0, 72'000'000'000)}, T(6, 0, 0)},
      {"TIMESTAMP_DIFF", {Ts("2024-06-02 10:00:00"), Ts("2024-06-02 10:59:59"), S("HOUR")}, I(0)},
      {"TIMESTAMP_DIFF", {Ts("2024-06-01"), Ts("2024-06-03 12:00:00"), S("DAY")}, I(-2)},
      {"TIMESTAMP_DIFF", {Ts("2024-06-02 00:00:00.0015"), Ts("2024-06-02"), S("MILLISECOND")}, I(1)},
      // The difference is in boundaries between the times, not in whole units.
      {"DATE_DIFF", {D("2024-06-03"), D("2024-06-01"), S("WEEK")}, I(1)},
      {"DATE_DIFF", {D("2024-06-03"), D("2024-06-02"), S("WEEK")}, I(0)},
      {"DATE_DIFF", {D("2024-06-03"), D("2024-06-02"), S("ISOWEEK")}, I(1)},
      {"DATE_DIFF", {D("2024-01-01"), D("2023-12-31"), S("YEAR")}, I(1)},
      {"DATE_DIFF", {D("2024-04-01"), D("2024-03-31"), S("QUARTER")}, I(1)},
      {"DATE_DIFF", {D("2024-12-30"), D("2024-12-29"), S("ISOYEAR")}, I(1)},
      {"DATETIME_DIFF", {Dt("2024-06-02 11:00:00"), Dt("2024-06-02 10:59:59"), S("HOUR")}, I(1)},
      {"DATETIME_DIFF", {Dt("2024-06-02"), Dt("2024-06-01 23:59:59"), S("DAY")}, I(1)},
      {"TIME_DIFF", {T(10, 0, 0), T(9, 59, 59), S("MINUTE")}, I(1)},
      {"JUSTIFY_DAYS", {Iv(14, 35, 5)}, Iv(15, 5, 5)},
      {"JUSTIFY_DAYS", {Iv(1, -5, 0)}, Iv(0, 25, 0)},
      {"JUSTIFY_HOURS", {Iv(0, 0, 90'000'000'000)}, Iv(0, 1, 3'600'000'000)},
      {"JUSTIFY_INTERVAL", {Iv(0, 29, 90'000'000'000)}, Iv(1, 0, 3'600'000'000)},
      {"MAKE_INTERVAL", {I(1), I(2), I(3)}, Iv(14, 3, 0)},
      {"$interval", {I(3), S("QUARTER")}, Iv(9, 0, 0)},
      {"$interval", {I(-2), S("WEEK")}, Iv(0, -14, 0)},
      {"$interval", {I(5), S("SECOND")}, Iv(0, 0, 5'000'000)},
  });
  CheckError("$add", {Ts("2024-03-01"), Iv(1, 0, 0)}, "month");
  CHECK(
      absl::IsInvalidArgument(Evaluate("DATE_ADD", {D("2024-03-01"), Iv(0, 0, 5)}, ArgumentForm::kLiterals).status()));
}

TEST_CASE("dates and times are made of numbers, and converted to numbers") {
  CheckAll({
      {"DATE", {I(2024), I(2), I(29)}, D("2024-02-29")},
      {"TIME", {I(1), I(2), I(3)}, T(1, 2, 3)},
      {"DATETIME", {I(2024), I(2), I(29), I(1), I(2), I(3)}, Dt("2024-02-29 01:02:03")},
      {"DATETIME", {D("2024-02-29"), T(1, 2, 3)}, Dt("2024-02-29 01:02:03")},
      {"TIMESTAMP_SECONDS", {I(-1)}, Ts("1969-12-31 23:59:59")},
      {"TIMESTAMP_MILLIS", {I(5)}, Ts("1970-01-01 00:00:00.005")},
      {"UNIX_SECONDS", {Ts("1969-12-31 23:59:59.5")}, I(-1)},
      {"UNIX_MILLIS", {Ts("1969-12-31 23:59:59.9995")}, I(-1)},
      {"UNIX_DATE", {D("1970-01-02")}, I(1)},
      {"DATE_FROM_UNIX_DATE", {I(-1)}, Value::Date(-1)},
  });
  CheckError("DATE", {I(2023), I(2), I(29)}, "DATE(2023, 2, 29) is not a valid date");
  CheckError("TIME", {I(24), I(0), I(0)}, "TIME(24, 0, 0) is not a valid time");
  CheckError("DATETIME", {I(10000), I(1), I(1), I(0), I(0), I(0)}, "is not a valid datetime");
}

TEST_CASE("arrays of dates and times") {
  CheckAll({
      {"GENERATE_DATE_ARRAY",
       {D("2024-01-30"), D("2024-02-01")},
       Value::Array(Type::Date(), {D("2024-01-30"), D("2024-01-31"), D("2024-02-01")})},
      {"GENERATE_DATE_ARRAY",
       {D("2024-01-31"), D("2024-04-01"), Iv(1, 0, 0)},
       Value::Array(Type::Date(), {D("2024-01-31"), D("2024-02-29"), D("2024-03-31")})},
      {"GENERATE_DATE_ARRAY",
       {D("2024-01-03"), D("2024-01-01"), Iv(0, -2, 0)},
       Value::Array(Type::Date(), {D("2024-01-03"), D("2024-01-01")})},
      {"GENERATE_DATE_ARRAY", {D("2024-01-03"), D("2024-01-01")}, Value::Array(Type::Date(), {})},
      {"GENERATE_DATE_ARRAY",
       {D("2000-01-01"), D("2010-01-01"), Iv(60, 0, 0)},
       Value::Array(Type::Date(), {D("2000-01-01"), D("2005-01-01"), D("2010-01-01")})},
      {"GENERATE_TIMESTAMP_ARRAY",
       {Ts("2024-01-01"), Ts("2024-01-01 02:00:00"), Iv(0, 0, 3'600'000'000)},
       Value::Array(Type::Timestamp(), {Ts("2024-01-01"), Ts("2024-01-01 01:00:00"), Ts("2024-01-01 02:00:00")})},
  });
  CheckError("GENERATE_DATE_ARRAY", {D("2024-01-01"), D("2024-01-03"), Iv(0, 0, 0)}, "step is 0");
}

TEST_CASE("formatting") {
  const Value ts = Ts("2024-06-02 09:05:07.120340");
  const std::vector<std::pair<const char*, const char*>> formats = {
      {"%Y-%m-%dT%H:%M:%S", "2024-06-02T09:05:07"},
      {"%F %T", "2024-06-02 09:05:07"},
      {"%a %A %b %B %h", "Sun Sunday Jun June Jun"},
      {"%e|%k|%l", " 2| 9| 9"},
      {"%I %p %P", "09 AM am"},
      {"%D %x %X %R", "06/02/24 06/02/24 09:05:07 09:05"},
      {"%j %U %u %V %w %W %G %g %y %C %Q", "154 22 7 22 0 22 2024 24 24 20 2"},
      {"%E*S|%E3S|%E6S|%E1S", "07.12034|07.120|07.120340|07.1"},
      {"%s", "1717319107"},
      {"%Z %z %Ez", "UTC +0000 +00:00"},
      {"100%% $1 %n%t.", "100% $1 \n\t."},
      {"%c", "Sun Jun  2 09:05:07 2024"},
      {"", ""}};
  for (const auto& [format, expected] : formats) CheckCall("FORMAT_TIMESTAMP", {S(format), ts}, S(expected));
  CheckAll({
      {"FORMAT_TIMESTAMP", {S("%H:%M %Ez"), ts, S("America/New_York")}, S("05:05 -04:00")},
      {"FORMAT_TIMESTAMP", {S("%H:%M %Z"), ts, S("America/New_York")}, S("05:05 UTC-4")},
      {"FORMAT_TIMESTAMP", {S("%Z"), ts, S("Asia/Kolkata")}, S("UTC+0530")},
      {"FORMAT_TIMESTAMP", {S("%Z"), ts, S("UTC+10")}, S("UTC+10")},
      {"FORMAT_TIMESTAMP", {S("%Z"), ts, S("-03:30")}, S("UTC-0330")},
      {"FORMAT_TIMESTAMP", {S("%Z"), ts, S("Etc/UTC")}, S("UTC")},
      {"FORMAT_DATE", {S("%d.%m.%Y"), D("2024-06-02")}, S("02.06.2024")},
      {"FORMAT_TIME", {S("%H%M"), T(9, 5, 0)}, S("0905")},
      {"FORMAT_DATETIME", {S("%R"), Value::Null(Type::Datetime())}, Value::Null(Type::String())},
  });
  CHECK(absl::IsUnimplemented(Evaluate("FORMAT_DATE", {S("%H"), D("2024-06-02")}, ArgumentForm::kLiterals).status()));
}

TEST_CASE("parsing") {
  CheckAll({
      {"PARSE_TIMESTAMP", {S("%Y-%m-%dT%H:%M:%SZ"), S("2024-06-02T09:05:07Z")}, Ts("2024-06-02 09:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %H:%M:%E*S"), S("2024-06-02 09:05:07.25")}, Ts("2024-06-02 09:05:07.25")},
      {"PARSE_TIMESTAMP", {S("%F %H:%M:%E*S"), S("2024-06-02 09:05:07")}, Ts("2024-06-02 09:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %T %z"), S("2024-06-02 09:05:07 +0130")}, Ts("2024-06-02 07:35:07")},
      {"PARSE_TIMESTAMP", {S("%F"), S("2024-06-02"), S("Asia/Tokyo")}, Ts("2024-06-01 15:00:00")},
      {"PARSE_TIMESTAMP", {S("%s"), S("1717319107")}, Ts("2024-06-02 09:05:07")},
      {"PARSE_DATE", {S("%m/%d/%y"), S("12/31/68")}, D("2068-12-31")},
      {"PARSE_DATE", {S("%b %e"), S("Mar 5")}, D("1970-03-05")},
      {"PARSE_TIME", {S("%I:%M %p"), S("03:04 pm")}, T(15, 4, 0)},
      {"PARSE_DATETIME", {S("%Y%m%d"), S("20240602")}, Dt("2024-06-02")},
      {"PARSE_DATE", {S("%F"), Value::Null(Type::String())}, Value::Null(Type::Date())},
  });
}

TEST_CASE("parsing: omitted parts are those of 1970-01-01, white space matches any, and later elements override") {
  CheckAll({
      {"PARSE_DATE", {S("%Y"), S("2024")}, D("2024-01-01")},
      {"PARSE_DATE", {S("%d/%m"), S("9/7")}, D("1970-07-09")},
      {"PARSE_DATE", {S(" %Y\t%m %d"), S("\n2024  06   2 ")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%Y%n%m%t%d%n"), S("2024 6 2")}, D("2024-06-02")},
      {"PARSE_DATE", {S("100%% %F"), S("100% 2024-06-02")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%Y%m%d"), S("20240602")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%C%y"), S("1876")}, D("1876-01-01")},
      {"PARSE_DATE", {S("%y %C"), S("76 18")}, D("1876-01-01")},
      {"PARSE_DATE", {S("%Y %y"), S("1850 69")}, D("1969-01-01")},
      {"PARSE_DATE", {S("%m %Q"), S("12 2")}, D("1970-04-01")},
      {"PARSE_DATE", {S("%Q %m"), S("2 12")}, D("1970-12-01")},
      {"PARSE_DATE", {S("%A, %B %d, %Y"), S("sunday, JUNE 02, 2024")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%a %b %e %Y"), S("Sun jun  2 2024")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%D"), S("06/02/24")}, D("2024-06-02")},
      {"PARSE_DATETIME", {S("%c"), S("Sun Jun  2 09:05:07 2024")}, Dt("2024-06-02 09:05:07")},
      {"PARSE_DATETIME", {S("%F %T"), S("2024-06-30 23:59:60")}, Dt("2024-07-01")},
      {"PARSE_DATETIME", {S("%F %E3S"), S("2024-06-02 07.123")}, Dt("2024-06-02 00:00:07.123")},
      {"PARSE_DATETIME", {S("%F %E*S"), S("2024-06-02 07.123456789")}, Dt("2024-06-02 00:00:07.123456")},
      {"PARSE_DATETIME", {S("%s"), S("-1")}, Dt("1969-12-31 23:59:59")},
      {"PARSE_TIME", {S("%k:%M"), S(" 7:30")}, T(7, 30, 0)},
      {"PARSE_TIME", {S("%r"), S("12:00:01 am")}, T(0, 0, 1)},
      {"PARSE_TIME", {S("%l%P"), S("12PM")}, T(12, 0, 0)},
      {"PARSE_TIME", {S("%p %H"), S("PM 3")}, T(3, 0, 0)},
      {"PARSE_TIME", {S("%R"), S("23:59")}, T(23, 59, 0)},
      {"PARSE_TIME", {S(""), S("  ")}, T(0, 0, 0)},
  });
}

TEST_CASE("parsing: days of the year, weeks and ISO years") {
  CheckAll({
      {"PARSE_DATE", {S("%Y-%j"), S("2024-060")}, D("2024-02-29")},
      {"PARSE_DATE", {S("%j %Y"), S("366 2024")}, D("2024-12-31")},
      {"PARSE_DATE", {S("%Y %U"), S("2024 01")}, D("2024-01-07")},
      {"PARSE_DATE", {S("%Y %W"), S("2024 01")}, D("2024-01-01")},
      {"PARSE_DATE", {S("%Y %W"), S("2023 00")}, D("2022-12-26")},
      {"PARSE_DATE", {S("%Y week %W, %a"), S("2024 week 22, Sun")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%Y %U %w"), S("2024 22 0")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%G-W%V-%u"), S("2024-W22-7")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%G-W%V"), S("2020-W53")}, D("2020-12-28")},
      {"PARSE_DATE", {S("%g %J"), S("24 001")}, D("2024-01-01")},
      {"PARSE_DATE", {S("%G %F"), S("1999 2024-06-02")}, D("2024-06-02")},
      {"PARSE_DATE", {S("%A"), S("Friday")}, D("1970-01-01")},
  });
  CheckError("PARSE_DATE", {S("%Y-%j"), S("2023-366")}, "the year 2023 has 365 days");
  CheckError("PARSE_DATE", {S("%Y %W"), S("2024 00")}, "the year 2024 has weeks 1 to 53");
  CheckError("PARSE_DATE", {S("%G %V"), S("2024 53")}, "the ISO year 2024 has 52 weeks");
  CheckError("PARSE_DATE", {S("%G %J"), S("2024 365")}, "the ISO year 2024 has 364 days");
}

TEST_CASE("parsing: the zone is the text's, or the argument's") {
  CheckAll({
      {"PARSE_TIMESTAMP", {S("%F %T%Ez"), S("2024-06-02 09:05:07+01:30")}, Ts("2024-06-02 07:35:07")},
      {"PARSE_TIMESTAMP", {S("%F %T%Ez"), S("2024-06-02 09:05:07Z"), S("Asia/Tokyo")}, Ts("2024-06-02 09:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %T %z"), S("2024-06-02 09:05:07 -05")}, Ts("2024-06-02 14:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %T %Z"), S("2024-06-02 09:05:07 Asia/Tokyo")}, Ts("2024-06-02 00:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %T %Z"), S("2024-06-02 09:05:07 UTC-3"), S("Asia/Tokyo")}, Ts("2024-06-02 12:05:07")},
      {"PARSE_TIMESTAMP", {S("%F %T %z %Z"), S("2024-06-02 09:05:07 +0500 UTC")}, Ts("2024-06-02 09:05:07")},
      {"PARSE_TIMESTAMP", {S("%s %Z"), S("1717319107 Asia/Tokyo")}, Ts("2024-06-02 09:05:07")},
  });
  CheckError("PARSE_TIMESTAMP", {S("%F %Z"), S("2024-06-02 Asia/Nowhere")}, "there is no time zone 'Asia/Nowhere'");
  CheckError("PARSE_TIMESTAMP", {S("%F %z"), S("2024-06-02 +1430")}, "an offset is at most 14:00");
  CheckError("PARSE_TIMESTAMP", {S("%F %z"), S("2024-06-02 +01:30")}, "the text goes on after the format's end");
}

TEST_CASE("parsing: mismatching text is an error with the position, and so is an invalid format") {
  CheckError("PARSE_DATE", {S("%F"), S("2024-02-30")}, "PARSE_DATE: \"2024-02-30\": there is no day 2024-2-30");
  CheckError("PARSE_DATE", {S("%F"), S("x")},
             "PARSE_DATE: \"x\" does not match the format \"%F\": %Y is a number from 0 to 10000, at byte 1");
  CheckError("PARSE_DATE", {S("%Y-%m"), S("2024-13")}, "%m is a number from 1 to 12, at byte 6");
  CheckError("PARSE_DATE", {S("%Y/%m"), S("2024-01")}, "\"/\" is missing, at byte 5");
  CheckError("PARSE_DATE", {S("%F"), S("2024-02-03 x")}, "the text goes on after the format's end, at byte 12");
  CheckError("PARSE_DATE", {S("%Y"), S("0")}, "the year 0 is not in 1 to 9999");
  CheckError("PARSE_DATE", {S("%E4Y"), S("924")}, "%E4Y is a year of four digits");
  CheckError("PARSE_DATE", {S("%b"), S("Smarch")}, "the name of a month is missing");
  CheckError("PARSE_TIME", {S("%I%p"), S("3")}, "AM or PM is missing");
  CheckError("PARSE_TIME", {S("%E*S"), S("3.")}, "digits are missing behind the point");
  CheckError("PARSE_DATE", {S("%F %H"), S("2024-02-03 1")}, "the format \"%F %H\" has %H, which is not for a DATE");
  CheckError("PARSE_TIME", {S("%E4Y"), S("2024")}, "has %E4Y, which is not for a TIME");
  CheckError("PARSE_DATETIME", {S("%Ez"), S("Z")}, "has %Ez, which is not for a DATETIME");
  CheckError("PARSE_DATE", {S("%f"), S("1")}, "has no element %f");
  CheckError("PARSE_TIME", {S("%E9S"), S("1")}, "has no element %E9S");
  CheckError("PARSE_DATE", {S("%F%"), S("2024-02-03x")}, "ends within an element; a percent sign is %%");
}

}  // namespace
}  // namespace logquery::emit
