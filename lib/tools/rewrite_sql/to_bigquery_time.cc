// Functions on times. A DateTime of whole seconds and a DateTime64 are both a TIMESTAMP.
#include <algorithm>
#include <array>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/time_text.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// formatDateTime's elements in FORMAT_TIMESTAMP's; the others have no equal.
constexpr std::pair<char, std::string_view> kElements[] = {
    {'Y', "%Y"}, {'m', "%m"}, {'d', "%d"}, {'H', "%H"}, {'i', "%M"}, {'S', "%S"}, {'a', "%a"}, {'j', "%j"},
    {'F', "%F"}, {'T', "%T"}, {'y', "%y"}, {'b', "%b"}, {'M', "%B"}, {'R', "%R"}, {'%', "%%"}};

// A unit as dateDiff and date_trunc name it, in GoogleSQL; empty: it is none of these.
std::string UnitOf(const ch::Expr& expr) {
  if (expr.kind != ch::ExprKind::kString) return "";
  std::string unit = base::ToUpper(expr.text);
  if (unit.ends_with("S") && unit.size() > 2) unit.pop_back();
  constexpr std::array<std::string_view, 8> kUnits = {"SECOND", "MINUTE", "HOUR",    "DAY",
                                                      "WEEK",   "MONTH",  "QUARTER", "YEAR"};
  return std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end() ? "" : unit;
}

}  // namespace

// The time in a literal text, which has as many digits of a second as the type.
absl::StatusOr<BqValue> ToBigQuery::TimeLiteral(const ch::Expr& call, bool to_seconds) const {
  const ch::Expr& text = *call.args[0];
  const ch::ChType type = TypeOf(call);
  const bool utc = type.zone.empty() || type.zone == "UTC";
  const absl::StatusOr<::logquery::Value> time = model::ParseTimestampText(text.text, "UTC");
  if (!utc || !time.ok()) return Unsupported(text.span, "a text that BigQuery does not read as a time in UTC");
  int64_t step = 1;
  for (int digit = to_seconds ? 0 : std::min(type.precision, 6); digit < 6; ++digit) step *= 10;
  const int64_t micros = time->int64_value();
  if (micros < 0) return Unsupported(text.span, "a time before 1970");
  const absl::Time at = absl::FromUnixMicros(micros - micros % step);
  return BqValue{StrCat("TIMESTAMP '", absl::FormatTime("%Y-%m-%d %H:%M:%E*S", at, absl::UTCTimeZone()), "'")};
}

absl::StatusOr<BqValue> ToBigQuery::Shifted(const ch::Expr& time, const std::string& count, const std::string& unit,
                                            bool back, sql::Span span, Scope& scope) {
  const bool is_date = TypeOf(time).Is(ch::ChKind::kDate);
  const bool by_calendar = unit == "MONTH" || unit == "QUARTER" || unit == "YEAR";
  const bool by_day = by_calendar || unit == "DAY" || unit == "WEEK";
  if (is_date && !by_day) return Unsupported(span, StrCat("a date and an interval of ", unit));
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(time, scope));
  const char* const step = back ? "SUB(" : "ADD(";
  if (is_date) {
    return BqValue{StrCat("DATE_", step, value.text, ", INTERVAL ", count, " ", unit, ")"), Binds::kPrimary, false,
                   value.nullable};
  }
  if (by_calendar) {
    Note(span, "months are added to a DATETIME in UTC, because TIMESTAMP_ADD takes no months");
    return BqValue{StrCat("TIMESTAMP(DATETIME_", step, "DATETIME(", value.text, "), INTERVAL ", count, " ", unit, "))"),
                   Binds::kPrimary, false, value.nullable};
  }
  const bool weeks = unit == "WEEK";
  return BqValue{StrCat("TIMESTAMP_", step, value.text, ", INTERVAL ", weeks ? StrCat("(", count, " * 7)") : count, " ",
                        weeks ? "DAY" : unit, ")"),
                 Binds::kPrimary, false, value.nullable};
}

// time + INTERVAL n unit, and time + n, which are days of a date and seconds of a time.
absl::StatusOr<BqValue> ToBigQuery::TimeShift(const ch::Expr& call, Scope& scope) {
  const ch::Expr& by = *call.args[1];
  const ch::ChType type = TypeOf(*call.args[0]), by_type = TypeOf(by);
  const bool back = call.text == "minus";
  if (by_type.Is(ch::ChKind::kInt) && !by_type.nullable && !type.Is(ch::ChKind::kDateTime64)) {
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue count, Value(by, scope));
    return Shifted(*call.args[0], In(count, Binds::kPrimary), type.Is(ch::ChKind::kDate) ? "DAY" : "SECOND", back,
                   call.span, scope);
  }
  constexpr std::string_view kInterval = "toInterval";
  const bool interval = by_type.Is(ch::ChKind::kInterval) && by.kind == ch::ExprKind::kCall &&
                        by.text.starts_with(kInterval) && by.args.size() == 1;
  const std::string unit = interval ? base::ToUpper(by.text.substr(kInterval.size())) : "";
  constexpr std::array<std::string_view, 10> kUnits = {"MICROSECOND", "MILLISECOND", "SECOND", "MINUTE",  "HOUR",
                                                       "DAY",         "WEEK",        "MONTH",  "QUARTER", "YEAR"};
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end())
    return Unsupported(call.span, "this operator on these types");
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue count, Value(*by.args[0], scope));
  return Shifted(*call.args[0], In(count, Binds::kPrimary), unit, back, call.span, scope);
}

// age('unit', from, to) counts the complete units between two times.
absl::StatusOr<BqValue> ToBigQuery::CompleteUnits(const ch::Expr& call, Scope& scope) {
  const std::string unit = call.args.size() == 3 ? UnitOf(*call.args[0]) : "";
  const bool fixed = unit == "SECOND" || unit == "MINUTE" || unit == "HOUR" || unit == "DAY";
  if (!fixed) return Unsupported(call.span, "age in this unit, or in a zone");
  for (size_t i = 1; i < 3; ++i) {
    const ch::ChType type = TypeOf(*call.args[i]);
    if (!type.Is(ch::ChKind::kDateTime) || !type.zone.empty())
      return Unsupported(call.args[i]->span, StrCat("age of ", type.ToString()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue from, Value(*call.args[1], scope));
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue to, Value(*call.args[2], scope));
  return BqValue{StrCat("TIMESTAMP_DIFF(", to.text, ", ", from.text, ", ", unit, ")"), Binds::kPrimary, false,
                 from.nullable || to.nullable};
}

// formatDateTime(time, format[, zone]).
absl::StatusOr<BqValue> ToBigQuery::Formatted(const ch::Expr& call, Scope& scope) {
  const bool has_zone = call.args.size() == 3;
  const bool literal = call.args.size() >= 2 && call.args[1]->kind == ch::ExprKind::kString &&
                       (!has_zone || call.args[2]->kind == ch::ExprKind::kString);
  if (!literal) return Unsupported(call.span, "formatDateTime with a format or zone that is no literal");
  const ch::ChType type = TypeOf(*call.args[0]);
  if (!type.zone.empty()) return Unsupported(call.args[0]->span, "formatDateTime of a time with a zone");
  const std::string& format = call.args[1]->text;
  std::vector<std::string> pieces;  // between the fractions of a second
  std::string made;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format.compare(i, 2, "%f") == 0 && type.Is(ch::ChKind::kDateTime64) && type.precision == 6) {
      pieces.push_back(std::exchange(made, ""));
      ++i;
      continue;
    }
    if (format[i] != '%') {
      made += format[i];
      continue;
    }
    const char letter = ++i < format.size() ? format[i] : '\0';
    const auto* const found = std::find_if(std::begin(kElements), std::end(kElements),
                                           [&](const auto& element) { return element.first == letter; });
    if (found == std::end(kElements))
      return Unsupported(call.args[1]->span, StrCat("the format element %", std::string(1, letter)));
    made += found->second;
  }
  Note(call.span, "in ClickHouse's formats %i is the minute, and %M the month's name");
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue time, Value(*call.args[0], scope));
  if (type.Is(ch::ChKind::kDate)) {
    if (has_zone) return Unsupported(call.args[2]->span, "formatDateTime of a date in a zone");
    return BqValue{StrCat("FORMAT_DATE(", sql::QuoteString(made), ", ", time.text, ")"), Binds::kPrimary, false,
                   time.nullable};
  }
  const bool utc = !has_zone || call.args[2]->text == "UTC";
  const std::string zone = utc ? "" : StrCat(", ", sql::QuoteString(call.args[2]->text));
  const auto formatted = [&](const std::string& piece) {
    return StrCat("FORMAT_TIMESTAMP(", sql::QuoteString(piece), ", ", time.text, zone, ")");
  };
  if (pieces.empty()) return BqValue{formatted(made), Binds::kPrimary, false, time.nullable};
  Note(call.span, "%f is the second's fraction in six digits, which %E6S has behind the second");
  pieces.push_back(made);
  std::vector<std::string> parts;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) parts.push_back(StrCat("SUBSTR(", formatted("%E6S"), ", 4)"));
    if (!pieces[i].empty()) parts.push_back(formatted(pieces[i]));
  }
  return BqValue{parts.size() == 1 ? parts[0] : StrCat("CONCAT(", base::Join(parts, ", "), ")"), Binds::kPrimary, false,
                 time.nullable};
}

// dateDiff('unit', from, to) counts the boundaries that lie between the two.
absl::StatusOr<BqValue> ToBigQuery::Boundaries(const ch::Expr& call, Scope& scope) {
  const std::string unit = call.args.size() == 3 ? UnitOf(*call.args[0]) : "";
  if (unit.empty()) return Unsupported(call.span, "dateDiff in this unit, or in a zone");
  std::string sides[2];
  bool nullable = false;
  const bool by_day = unit == "DAY" || unit == "WEEK" || unit == "MONTH" || unit == "QUARTER" || unit == "YEAR";
  for (size_t i = 0; i < 2; ++i) {
    const ch::Expr& side = *call.args[i + 1];
    const ch::ChType type = TypeOf(side);
    if (!type.IsTime() || !type.zone.empty()) return Unsupported(side.span, StrCat("dateDiff of ", type.ToString()));
    const bool date = type.Is(ch::ChKind::kDate);
    if (date && !by_day) return Unsupported(side.span, StrCat("dateDiff of a date by ", unit));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(side, scope));
    nullable = nullable || value.nullable;
    sides[i] = by_day ? (date ? value.text : StrCat("DATE(", value.text, ")"))
                      : StrCat("TIMESTAMP_TRUNC(", value.text, ", ", unit, ")");
  }
  Note(call.span,
       "dateDiff counts boundaries, TIMESTAMP_DIFF complete units; between truncated times they are the same");
  const std::string part = unit == "WEEK" ? "ISOWEEK" : unit;
  return BqValue{StrCat(by_day ? "DATE_DIFF(" : "TIMESTAMP_DIFF(", sides[1], ", ", sides[0], ", ", part, ")"),
                 Binds::kPrimary, false, nullable};
}

// toStartOfInterval(time, INTERVAL n unit): minutes and seconds count from 1970, hours from midnight.
absl::StatusOr<BqValue> ToBigQuery::StartOfInterval(const ch::Expr& call, Scope& scope) {
  const bool known = call.args.size() == 2 && call.args[1]->kind == ch::ExprKind::kCall &&
                     call.args[1]->text.starts_with("toInterval") && call.args[1]->args.size() == 1 &&
                     call.args[1]->args[0]->kind == ch::ExprKind::kNumber;
  const ch::ChType type = TypeOf(*call.args[0]);
  if (!known || !type.IsTime() || type.Is(ch::ChKind::kDate) || !type.zone.empty())
    return Unsupported(call.span, "toStartOfInterval with an origin or zone, of a date, or by no literal");
  const std::string unit = base::ToUpper(call.args[1]->text.substr(10));
  const int64_t count = std::atoll(call.args[1]->args[0]->text.c_str());
  const int64_t seconds = unit == "SECOND" ? count : unit == "MINUTE" ? count * 60 : unit == "DAY" ? count * 86'400 : 0;
  const bool hours = unit == "HOUR" && count >= 1 && count <= 24;
  if ((seconds < 1 && !hours) || count < 1)
    return Unsupported(call.args[1]->span, "toStartOfInterval by weeks, months or years, or by more than 24 hours");
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue time, Value(*call.args[0], scope));
  if (hours) {
    if (count == 1 || count == 24) {
      return BqValue{StrCat("TIMESTAMP_TRUNC(", time.text, count == 1 ? ", HOUR)" : ", DAY)"), Binds::kPrimary, false,
                     time.nullable};
    }
    return BqValue{StrCat("TIMESTAMP_ADD(TIMESTAMP_TRUNC(", time.text, ", DAY), INTERVAL DIV(EXTRACT(HOUR FROM ",
                          time.text, "), ", count, ") * ", count, " HOUR)"),
                   Binds::kPrimary, false, time.nullable};
  }
  Note(call.span, "intervals of seconds, minutes and days count from 1970 in UTC");
  return BqValue{StrCat("TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(", time.text, "), ", seconds, ") * ", seconds, ")"),
                 Binds::kPrimary, false, time.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::TimeCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  if (name == "formatDateTime") return Formatted(call, scope);
  if (name == "age") return CompleteUnits(call, scope);
  if (name == "dateDiff" || name == "date_diff") return Boundaries(call, scope);
  if (name == "toStartOfInterval" && call.args.size() >= 2) return StartOfInterval(call, scope);
  if ((name == "date_trunc" || name == "dateTrunc") && call.args.size() == 2) {
    const std::string unit = UnitOf(*call.args[0]);
    const ch::ChType type = TypeOf(*call.args[1]);
    const bool short_unit = unit == "SECOND" || unit == "MINUTE" || unit == "HOUR" || unit == "DAY";
    if (!short_unit || !type.IsTime() || type.Is(ch::ChKind::kDate) || !type.zone.empty())
      return Unsupported(call.span, StrCat(name, " to weeks, months or years, or of a date"));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue time, Value(*call.args[1], scope));
    return BqValue{StrCat("TIMESTAMP_TRUNC(", time.text, ", ", unit, ")"), Binds::kPrimary, false, time.nullable};
  }
  if (name == "fromUnixTimestamp64Micro" && call.args.size() == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue micros, Value(*call.args[0], scope));
    return BqValue{StrCat("TIMESTAMP_MICROS(", micros.text, ")"), Binds::kPrimary, false, micros.nullable};
  }
  if (name == "toDate" && call.args.size() == 1 && call.args[0]->kind == ch::ExprKind::kString)
    return Operand(*call.args[0], call, scope, false);
  return TimeOf(call, name, scope, handled);
}

absl::StatusOr<BqValue> ToBigQuery::TimeOf(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled) {
  const auto value = [&](size_t i) { return Value(*call.args[i], scope); };
  if (name == "now" && call.args.empty()) return BqValue{"TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)"};
  if (name == "now64") return BqValue{"CURRENT_TIMESTAMP()"};
  if (name == "parseDateTime64BestEffort" || name == "toDateTime" || name == "toDateTime64" || name == "CAST") {
    const bool to_seconds = name == "toDateTime" || (name == "CAST" && TypeOf(call).Is(ch::ChKind::kDateTime));
    if (name == "CAST" && !to_seconds) return handled = false, BqValue();
    if (call.args[0]->kind == ch::ExprKind::kString) return TimeLiteral(call, to_seconds);
    const ch::ChType number = TypeOf(*call.args[0]);
    if (name == "toDateTime" && call.args.size() == 1 && number.Is(ch::ChKind::kInt) && number.bits <= 32 &&
        !number.is_signed) {
      LOGQUERY_ASSIGN_OR_RETURN(const BqValue seconds, value(0));
      return BqValue{StrCat("TIMESTAMP_SECONDS(", seconds.text, ")"), Binds::kPrimary, false, seconds.nullable};
    }
    if (!TypeOf(*call.args[0]).IsTime() || TypeOf(*call.args[0]).Is(ch::ChKind::kDate) || !to_seconds ||
        call.args.size() > 2 || (name == "toDateTime" && call.args.size() != 1)) {
      return Unsupported(call.span, StrCat(name, " of this value"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(BqValue time, value(0));
    return BqValue{StrCat("TIMESTAMP_TRUNC(", time.text, ", SECOND)"), Binds::kPrimary, false, time.nullable};
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kStarts = {{{"toStartOfMinute", "MINUTE"},
                                                                                     {"toStartOfHour", "HOUR"},
                                                                                     {"toStartOfDay", "DAY"},
                                                                                     {"toStartOfWeek", "WEEK"},
                                                                                     {"toMonday", "ISOWEEK"},
                                                                                     {"toStartOfMonth", "MONTH"},
                                                                                     {"toStartOfQuarter", "QUARTER"},
                                                                                     {"toStartOfSecond", "SECOND"},
                                                                                     {"toStartOfYear", "YEAR"}}};
  for (const auto& [function, part] : kStarts) {
    if (name != function) continue;
    if (call.args.size() != 1 || TypeOf(*call.args[0]).Is(ch::ChKind::kDate))
      return Unsupported(call.span, StrCat(name, " with a zone, or of a date"));
    LOGQUERY_ASSIGN_OR_RETURN(BqValue time, value(0));
    std::string text = StrCat("TIMESTAMP_TRUNC(", time.text, ", ", part, ")");
    if (TypeOf(call).Is(ch::ChKind::kDate)) text = StrCat("DATE(", text, ")");
    return BqValue{text, Binds::kPrimary, false, time.nullable};
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMinutes = {
      {{"toStartOfFiveMinutes", "300"}, {"toStartOfTenMinutes", "600"}, {"toStartOfFifteenMinutes", "900"}}};
  for (const auto& [function, seconds] : kMinutes) {
    if (name != function || call.args.size() != 1) continue;
    LOGQUERY_ASSIGN_OR_RETURN(BqValue time, value(0));
    return BqValue{StrCat("TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(", time.text, "), ", seconds, ") * ", seconds, ")"),
                   Binds::kPrimary, false, time.nullable};
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kParts = {{{"toYear", "YEAR"},
                                                                                    {"toQuarter", "QUARTER"},
                                                                                    {"toMonth", "MONTH"},
                                                                                    {"toDayOfMonth", "DAY"},
                                                                                    {"toHour", "HOUR"},
                                                                                    {"toMinute", "MINUTE"},
                                                                                    {"toSecond", "SECOND"},
                                                                                    {"toDayOfYear", "DAYOFYEAR"},
                                                                                    {"toISOWeek", "ISOWEEK"}}};
  for (const auto& [function, part] : kParts) {
    if (name != function || call.args.size() != 1) continue;
    LOGQUERY_ASSIGN_OR_RETURN(BqValue time, value(0));
    return BqValue{StrCat("EXTRACT(", part, " FROM ", time.text, ")"), Binds::kPrimary, false, time.nullable};
  }
  const bool of_time = call.args.size() == 1 && TypeOf(*call.args[0]).IsTime();
  if (of_time && (name == "toDayOfWeek" || name == "toYYYYMM" || name == "toYYYYMMDD" || name == "toDate" ||
                  name == "toUnixTimestamp" || name == "toUnixTimestamp64Micro" || name == "toUnixTimestamp64Milli")) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue time, value(0));
    const bool date = TypeOf(*call.args[0]).Is(ch::ChKind::kDate);
    std::string text;
    if (name == "toDayOfWeek") text = StrCat("MOD(EXTRACT(DAYOFWEEK FROM ", time.text, ") + 5, 7) + 1");
    if (name == "toYYYYMM") {
      text = StrCat("CAST(FORMAT_", date ? "DATE" : "TIMESTAMP", "('%Y%m', ", time.text, ") AS INT64)");
    }
    if (name == "toYYYYMMDD" && !date) text = StrCat("CAST(FORMAT_TIMESTAMP('%Y%m%d', ", time.text, ") AS INT64)");
    if (name == "toDate") text = date ? time.text : StrCat("DATE(", time.text, ")");
    if (name == "toUnixTimestamp" && !date) text = StrCat("UNIX_SECONDS(", time.text, ")");
    if (name == "toUnixTimestamp64Micro" && !date) text = StrCat("UNIX_MICROS(", time.text, ")");
    if (name == "toUnixTimestamp64Milli" && !date) text = StrCat("UNIX_MILLIS(", time.text, ")");
    if (text.empty()) return Unsupported(call.span, StrCat(name, " of a date"));
    return BqValue{text, name == "toDayOfWeek" ? Binds::kSum : Binds::kPrimary, false, time.nullable};
  }
  for (const auto& [prefix, back] : {std::pair("subtract", true), std::pair("add", false)}) {
    for (const char* unit : {"Second", "Minute", "Hour", "Day", "Week", "Month", "Quarter", "Year"}) {
      if (name != StrCat(prefix, unit, "s") || call.args.size() != 2 || !TypeOf(*call.args[0]).IsTime()) continue;
      LOGQUERY_ASSIGN_OR_RETURN(const BqValue count, value(1));
      return Shifted(*call.args[0], In(count, Binds::kPrimary), base::ToUpper(unit), back, call.span, scope);
    }
  }
  handled = false;
  return BqValue();
}

}  // namespace logquery::tools
