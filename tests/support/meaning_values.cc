// Expressions of each type that goes to engines; parts of times are inserted into forms.
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "tests/support/meaning_cases.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// Adds `form` with each of the parts in the place of P.
void AddParts(const char* form, const std::vector<std::string>& parts, std::vector<std::string>& out) {
  for (const std::string& part : parts) out.push_back(absl::StrReplaceAll(form, {{"P", part}}));
}

const std::vector<std::string>& FineParts() {
  static const auto& parts = *new std::vector<std::string>{"microsecond", "millisecond", "second", "minute", "hour"};
  return parts;
}

// Expressions that all engines are asked, whose values are compared row by row.
std::vector<std::string> Values() {
  std::vector<std::string> values = {
      "timestamp_trunc({t}, hour, 'UTC')",
      "datetime_trunc({t}, minute, 'UTC')",
      "date_trunc({t}, hour, 'UTC')",
      "extract(hour from {t} at time zone 'UTC')",
      "extract(date from {t})",
      "extract(date from {t} at time zone 'UTC')",
      "extract(date from {dt})",
      "extract(datetime from {t})",
      "extract(datetime from {t} at time zone 'UTC')",
      "date({t})",
      "date({t}, 'UTC')",
      "date({d})",
      "date({dt})",
      "datetime({t})",
      "datetime({t}, 'UTC')",
      "datetime({dt})",
      "timestamp({t})",
      "unix_seconds({t})",
      "unix_millis({t})",
      "unix_micros({t})",
      "unix_date({d})",
      "date_diff({d}, date '2000-02-29', day)",
      "date_diff(date '2000-02-29', {d}, day)",
      "cast({n} as string)",
      "cast({b} as string)",
      "cast({n} > 1 as string)",
      "cast({b} as int64)",
      "cast({n} as bool)",
      "safe_cast({n} as string)",
      "cast({t} as date)",
      "cast({t} as datetime)",
      "cast({dt} as date)",
      "cast({dt} as timestamp)",
      "cast({d} as datetime)",
      "cast({d} as timestamp)",
      "ends_with({s}, 'b')",
      "ends_with({s}, '')",
      "ends_with({ms}, 'b')",
      "ends_with({s}, '\u0301')",
      "octet_length({s})",
      "substr({s}, 1)",
      "substr({s}, 2)",
      "substr({s}, 2, 1)",
      "substr({s}, 1, 0)",
      "substr({s}, 100)",
      "substring({s}, 1, 9223372036854775807)",
      "substring({s}, 3)",
      "left({s}, 0)",
      "left({s}, 2)",
      "left({s}, 9223372036854775807)",
      "right({s}, 0)",
      "right({s}, 2)",
      "right({s}, 100)",
      "replace({s}, 'a', '')",
      "replace({s}, '', '')",
      "replace({s}, '\u00e4', 'a')",
      "replace({s}, 'ab', 'b')",
      "replace({s}, '\\\\', '/')",
      "trim({s}, 'a')",
      "trim({s}, ' b')",
      "ltrim({s}, 'ab')",
      "rtrim({s}, 'ab~')",
      "greatest({n}, 5)",
      "greatest({n})",
      "greatest({s}, 'b')",
      "greatest({t}, timestamp '2000-01-01 00:00:00+00')",
      "greatest({dt}, datetime '2000-01-01 00:00:00')",
      "least({n}, -1, {n})",
      "least({s}, 'b', null)",
      "least({t}, timestamp '2000-01-01 00:00:00+00')",
      "least({dt}, datetime '2000-01-01 00:00:00', null)",
      "nullifzero({n})",
      "zeroifnull({n})",
      "div({n}, 3)",
      "div({n}, 1)",
      "mod({n}, 3)",
      "mod({n}, 9223372036854775807)",
      "case {n} when 1 then 'x' when null then 'y' when 0 then cast({n} as string) else 'z' end",
      "case {s} when 'a' then {s} when {ms} then 'y' end"};
  for (const char* const form : {"timestamp_trunc({t}, P)", "timestamp_trunc({dt}, P)", "datetime_trunc({t}, P)",
                                 "datetime_trunc({dt}, P)", "date_trunc({t}, P)", "date_trunc({dt}, P)",
                                 "timestamp_diff({t}, timestamp '2000-02-29 12:00:00.000001+00', P)",
                                 "timestamp_diff(timestamp '1969-12-31 23:59:59.999999+00', {t}, P)"}) {
    AddParts(form, FineParts(), values);
    AddParts(form, {"day"}, values);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "datetime_trunc({dt}, P)"})
    AddParts(form, {"isoweek"}, values);
  for (const char* const form : {"extract(P from {t})", "extract(P from {dt})"}) {
    AddParts(form, FineParts(), values);
    AddParts(form, {"dayofweek"}, values);
  }
  return values;
}

}  // namespace

std::vector<std::string> PostgresValues() {
  std::vector<std::string> values = Values();
  for (const char* const more : {"greatest({d}, date '2000-01-01')", "least({d}, date '2000-01-01')",
                                 "greatest({b}, false)", "least({b}, true)", "datetime({d})", "cast({mb} as string)"}) {
    values.emplace_back(more);
  }
  const std::vector<std::string> coarse = {"day", "dayofyear", "month", "quarter", "year", "isoyear", "isoweek"};
  for (const char* const form : {"extract(P from {t})", "extract(P from {dt})", "extract(P from {d})"}) {
    AddParts(form, coarse, values);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "datetime_trunc({dt}, P)", "date_trunc({d}, P)"}) {
    AddParts(form, {"month", "quarter", "year", "isoweek"}, values);
  }
  AddParts("date_trunc({d}, P)", {"day"}, values);
  AddParts("extract(P from {d})", {"dayofweek"}, values);
  for (const char* const format :
       {"%Y",     "%m",         "%d",     "%H", "%M", "%S", "%T", "%F", "%R",    "%D",    "%y",      "%j",
        "%a",     "%p",         "%I",     "%u", "%V", "%G", "%b", "%B", "%F %T", "%H:%M", "x%%y %Y", "it's %H \u00e4",
        "%Y-W%V", "[%d/%b/%Y]", "HH24 %H"}) {
    for (const char* const form : {"format_timestamp('@', {t})", "format_datetime('@', {dt})"}) {
      values.push_back(absl::StrReplaceAll(form, {{"@", absl::StrReplaceAll(format, {{"'", "\\'"}})}}));
    }
  }
  for (const char* const format : {"%Y", "%F", "%y%m%d", "%j %a %B", "%G %V %u"}) {
    values.push_back(StrCat("format_date('", format, "', {d})"));
  }
  return values;
}

std::vector<std::string> ClickHouseValues() {
  std::vector<std::string> values = Values();
  for (const char* const more :
       {"{x} + 0.5", "{x} - {x}", "{x} * 1e308", "- {x}", "{n} / 3", "{n} / 9007199254740993", "cast({n} as float64)",
        "{n} + 0.5", "zeroifnull({x})", "nullifzero({x})", "nullif({x}, 0.0)", "nullif({x}, {x})", "substr({s}, 0)",
        "substr({s}, 0, 1)", "substring({s}, 0, 2)", "ends_with({s}, {ms})", "greatest({s}, {ms})",
        "least({n}, -1, {mn})", "if({x} > 1, {x}, -1.5)"}) {
    values.emplace_back(more);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "timestamp_trunc({dt}, P)", "datetime_trunc({dt}, P)"}) {
    AddParts(form, {"week(monday)", "isoweek"}, values);
  }
  for (const char* const pattern :
       {"a", "(a)", "^a(.*)$", "a.b", "(.)b", "x(.)", "", "()", "(?i)(A)", "[a-z]+", "(?:a)(b?)", "\\\\w+", "(\\\\d+)",
        "(?P<x>.)", "\\\\\\\\(.)", "[](]", "(\u00e4)", "a(.*?)b"}) {
    values.push_back(StrCat("regexp_extract({s}, '", pattern, "')"));
  }
  values.emplace_back("regexp_substr({s}, '[b-z]')");
  return values;
}

}  // namespace logquery::testing
