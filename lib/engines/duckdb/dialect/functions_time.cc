// Conversions between TIMESTAMP, DATETIME, DATE and TIME, with zones; their parts, and truncation.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/model/zone_offset.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

bool IsUtc(const FunctionCall& call, const Texts& args, size_t index) {
  return index >= args.size() || ConstantString(call, index) == "UTC";
}

std::optional<int64_t> OffsetOf(const FunctionCall& call, size_t index) {
  const std::optional<std::string> zone = ConstantString(call, index);
  return zone.has_value() ? model::OffsetMinutes(*zone) : std::nullopt;
}

Sql DateInRange(const Sql& date) { return Cat("lq_date_in_range(", date, ")"); }
Sql TimestampInRange(const Sql& timestamp) { return Cat("lq_timestamp_in_range(", timestamp, ")"); }

}  // namespace

absl::Status BadPart(const FunctionCall& call, std::string_view part) {
  return absl::InvalidArgumentError(
      StrCat(ShownName(call), " does not take the date part ", part, " for ", call.arguments[0]->type.ToString()));
}

Sql ToLocal(const FunctionCall& call, const Texts& args, size_t index, const Sql& timestamp) {
  if (IsUtc(call, args, index)) return timestamp;
  if (const std::optional<int64_t> minutes = OffsetOf(call, index)) {
    return Cat("(", timestamp, " + to_minutes(", *minutes, "))");
  }
  return Cat("lq_to_zone(", timestamp, ", ", args[index], ")");
}

Sql ToLocalInRange(const FunctionCall& call, const Texts& args, size_t index, const Sql& timestamp) {
  const Sql local = ToLocal(call, args, index, timestamp);
  return IsUtc(call, args, index) ? local : TimestampInRange(local);
}

Sql FromLocal(const FunctionCall& call, const Texts& args, size_t index, const Sql& datetime) {
  if (IsUtc(call, args, index)) return datetime;
  if (const std::optional<int64_t> minutes = OffsetOf(call, index)) {
    return TimestampInRange(Cat("(", datetime, " - to_minutes(", *minutes, "))"));
  }
  return FromZone(args[index], datetime);
}

Sql FromZone(const Sql& zone_text, const Sql& datetime) {
  return TimestampInRange(Cat("lq_from_zone(", datetime, ", ", zone_text, ")"));
}

namespace {

StatusOr<Sql> TimestampToDatetime(const FunctionCall& call, const Texts& args) {
  return ToLocalInRange(call, args, 1, args[0]);
}
StatusOr<Sql> TimestampToDate(const FunctionCall& call, const Texts& args) {
  return Cat("CAST(", ToLocalInRange(call, args, 1, args[0]), " AS DATE)");
}
StatusOr<Sql> TimestampToTime(const FunctionCall& call, const Texts& args) {
  return Cat("CAST(", ToLocal(call, args, 1, args[0]), " AS TIME)");
}
StatusOr<Sql> DatetimeToTimestamp(const FunctionCall& call, const Texts& args) {
  return FromLocal(call, args, 1, args[0]);
}
StatusOr<Sql> DateToTimestamp(const FunctionCall& call, const Texts& args) {
  return FromLocal(call, args, 1, Cat("CAST(", args[0], " AS TIMESTAMP)"));
}

// Days from Monday to the day that the part's weeks begin with; absent when it is no week.
std::optional<int> WeekStart(std::string_view part) {
  constexpr std::string_view kStarts[] = {
      "ISOWEEK", "WEEK(TUESDAY)", "WEEK(WEDNESDAY)", "WEEK(THURSDAY)", "WEEK(FRIDAY)", "WEEK(SATURDAY)", "WEEK"};
  for (int i = 0; i < 7; ++i) {
    if (part == kStarts[i]) return i;
  }
  if (part == "WEEK(MONDAY)") return 0;
  if (part == "WEEK(SUNDAY)") return 6;
  return std::nullopt;
}

struct SimplePart {
  std::string_view part;
  std::string_view text;  // with $1 for the operand
  bool of_date;
  bool of_time;
};

constexpr SimplePart kExtracted[] = {
    {"YEAR", "date_part('year', $1)", true, false},
    {"ISOYEAR", "date_part('isoyear', $1)", true, false},
    {"QUARTER", "date_part('quarter', $1)", true, false},
    {"MONTH", "date_part('month', $1)", true, false},
    {"ISOWEEK", "date_part('week', $1)", true, false},
    {"DAY", "date_part('day', $1)", true, false},
    {"DAYOFWEEK", "(date_part('dow', $1) + 1)", true, false},
    {"DAYOFYEAR", "date_part('doy', $1)", true, false},
    {"HOUR", "date_part('hour', $1)", false, true},
    {"MINUTE", "date_part('minute', $1)", false, true},
    {"SECOND", "date_part('second', $1)", false, true},
    {"MILLISECOND", "(date_part('millisecond', $1) % 1000)", false, true},
    {"MICROSECOND", "(date_part('microsecond', $1) % 1000000)", false, true},
    {"NANOSECOND", "(date_part('microsecond', $1) % 1000000 * 1000)", false, true},
};

StatusOr<Sql> Extract(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  const Type& type = call.arguments[0]->type;
  const bool has_date = !type.is(TypeKind::kTime);
  const bool has_time = !type.is(TypeKind::kDate);
  const Sql local = ToLocal(call, args, 2, args[0]);
  for (const SimplePart& simple : kExtracted) {
    if (simple.part != part) continue;
    if (!(simple.of_date ? has_date : has_time)) return BadPart(call, part);
    return FillTemplate(simple.text, {local});
  }
  if (has_date && part == "DATE") return Cat("CAST(", local, " AS DATE)");
  if (has_time && part == "TIME") return Cat("CAST(", local, " AS TIME)");
  const std::optional<int> start = WeekStart(part);
  if (!start.has_value() || !has_date) return BadPart(call, part);
  // Days before the year's first such weekday are in week 0. DuckDB counts weekdays from Sunday.
  const int shift = (*start + 1) % 7;
  return Once({local}, [&](const Texts& a) {
    return Cat("((date_part('doy', ", a[0], ") + 6 - (date_part('dow', ", a[0], ") + ", 7 - shift, ") % 7) // 7)");
  });
}

StatusOr<Sql> ExtractInterval(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  for (const SimplePart& simple : kExtracted) {
    if (simple.part != part) continue;
    if (simple.of_date && part != "YEAR" && part != "MONTH" && part != "DAY") break;
    return FillTemplate(simple.text, args);
  }
  return BadPart(call, part);
}

}  // namespace

StatusOr<Sql> TruncatedText(const FunctionCall& call, const std::string& part, const Sql& local, const Type& type) {
  const bool is_date = type.is(TypeKind::kDate);
  const std::string_view physical = is_date ? "DATE" : "TIMESTAMP";
  for (std::string_view name : {"MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR"}) {
    if (part == name && !is_date) return Cat("date_trunc('", base::ToLower(name), "', ", local, ")");
  }
  for (std::string_view name : {"DAY", "MONTH", "QUARTER", "YEAR", "ISOYEAR"}) {
    // DuckDB gives a DATE here whatever it is given.
    if (part == name) return Cat("CAST(date_trunc('", base::ToLower(name), "', ", local, ") AS ", physical, ")");
  }
  const std::optional<int> start = WeekStart(part);
  if (!start.has_value()) return BadPart(call, part);
  if (*start == 0) return Cat("CAST(date_trunc('week', ", local, ") AS ", physical, ")");
  return Cat("CAST(CAST(date_trunc('week', CAST(", local, " AS DATE) - ", *start, ") AS DATE) + ", *start, " AS ",
             physical, ")");
}

namespace {

// 0001-01-01 is a Monday, so that only the weeks which begin with another day reach back behind it.
StatusOr<Sql> TruncatedInRange(const FunctionCall& call, const Texts& args, const Type& type) {
  const std::string part = PartOf(call, 1);
  StatusOr<Sql> text = TruncatedText(call, part, args[0], type);
  if (!text.ok() || WeekStart(part).value_or(0) == 0) return text;
  return type.is(TypeKind::kDate) ? DateInRange(*text) : TimestampInRange(*text);
}

StatusOr<Sql> TimestampTrunc(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  if (IsUtc(call, args, 2)) return TruncatedInRange(call, args, Type::Timestamp());
  absl::Status status;
  // A zone that is no literal is written twice, too.
  Texts once = {args[0]};
  if (!OffsetOf(call, 2).has_value()) once.push_back(args[2]);
  Sql text = Once(once, [&](const Texts& a) -> Sql {
    Texts named = args;
    if (a.size() > 1) named[2] = a[1];
    const Sql local = ToLocal(call, named, 2, a[0]);
    StatusOr<Sql> truncated = TruncatedText(call, part, local, Type::Timestamp());
    if (!truncated.ok()) {
      status = truncated.status();
      return "";
    }
    const bool within_day =
        part == "MICROSECOND" || part == "MILLISECOND" || part == "SECOND" || part == "MINUTE" || part == "HOUR";
    if (!within_day) return FromLocal(call, named, 2, *truncated);
    // The offset at the moment itself is used, which is unambiguous also where clocks are set back.
    return Once({local, a[0]}, [&](const Texts& b) {
      return TimestampInRange(Cat("(", b[1], " - (", b[0], " - date_trunc('", base::ToLower(part), "', ", b[0], ")))"));
    });
  });
  if (!status.ok()) return status;
  return text;
}

StatusOr<Sql> CalendarTrunc(const FunctionCall& call, const Texts& args) {
  return TruncatedInRange(call, args, call.arguments[0]->type);
}

StatusOr<Sql> TimeTrunc(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  for (const auto& [name, micros] : {std::pair<std::string_view, int64_t>{"MICROSECOND", 1},
                                     {"MILLISECOND", 1'000},
                                     {"SECOND", 1'000'000},
                                     {"MINUTE", 60'000'000},
                                     {"HOUR", 3'600'000'000}}) {
    if (part != name) continue;
    return Cat("CAST(make_timestamp(epoch_us(", args[0], ") // ", micros, " * ", micros, ") AS TIME)");
  }
  return BadPart(call, part);
}

// The last day of the period that holds the date.
StatusOr<Sql> LastDay(const FunctionCall& call, const Texts& args) {
  const std::string part = call.arguments.size() > 1 ? PartOf(call, 1) : "MONTH";
  const Sql date = call.arguments[0]->type.is(TypeKind::kDate) ? args[0] : Cat("CAST(", args[0], " AS DATE)");
  if (part == "MONTH") return Cat("last_day(", date, ")");
  StatusOr<Sql> first = TruncatedText(call, part, date, Type::Date());
  if (!first.ok() || part == "DAY") return first.ok() ? BadPart(call, part) : first;
  if (part == "YEAR") return Cat("CAST(", *first, " + to_years(1) - to_days(1) AS DATE)");
  if (part == "QUARTER") return Cat("CAST(", *first, " + to_months(3) - to_days(1) AS DATE)");
  // An ISO year has 52 or 53 weeks: 372 days from its first lie within the next one.
  if (part == "ISOYEAR") {
    return DateInRange(Cat("CAST(date_trunc('isoyear', ", *first, " + 372) - to_days(1) AS DATE)"));
  }
  return DateInRange(Cat("(", *first, " + 6)"));
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"last_day", LastDay},
    {"timestamp_to_datetime", TimestampToDatetime},
    {"timestamp_to_date", TimestampToDate},
    {"timestamp_to_time", TimestampToTime},
    {"datetime_to_timestamp", DatetimeToTimestamp},
    {"date_to_timestamp", DateToTimestamp},
    {"extract", Extract},
    {"extract_interval", ExtractInterval},
    {"timestamp_trunc", TimestampTrunc},
    {"calendar_trunc", CalendarTrunc},
    {"time_trunc", TimeTrunc},
};

}  // namespace

DuckDbFunctionList DuckDbTimeFunctions() { return kEntries; }

}  // namespace logquery::emit
