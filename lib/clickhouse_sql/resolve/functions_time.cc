// Functions on times. A zone is that of the type, or an argument.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/model/time_zone.h"
#include "lib/rewrite/resolve/resolver.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

absl::StatusOr<std::string> ZoneAt(CallArgs& call, size_t i, const std::string& otherwise) {
  if (i >= call.size()) return otherwise;
  LOGQUERY_ASSIGN_OR_RETURN(std::string zone, call.resolver.WantText(call[i], call.SpanOf(i), "a time zone"));
  const absl::Status found = model::FindTimeZone(zone).status();
  if (!found.ok()) return call.resolver.Error(call.SpanOf(i), base::ToStd(found.message()));
  return zone;
}

absl::StatusOr<ScalarPtr> TimeAt(CallArgs& call, size_t i) {
  if (!call[i].type.IsTime() && !call[i].type.Is(ChKind::kNothing)) {
    return call.resolver.Error(
        call.SpanOf(i), StrCat(call.call.text, " wants a time here, not ", call[i].type.ToString(),
                               call[i].type.Is(ChKind::kString) ? "; convert it by parseDateTimeBestEffort" : ""));
  }
  return call.resolver.ToTime(std::move(call[i]), call.SpanOf(i));
}

namespace {

// A Date has no time of day: what reads one takes none.
absl::Status RefuseDate(CallArgs& call, size_t i) {
  if (!call[i].type.Is(ChKind::kDate)) return absl::OkStatus();
  return call.resolver.Error(call.SpanOf(i),
                             StrCat(call.call.text, " wants a DateTime here, not Date; convert it by toDateTime"));
}

absl::StatusOr<Ex> Now(CallArgs&) {
  ScalarPtr now = std::make_unique<rewrite::ParameterRef>(rewrite::kNowParameter, Type::Timestamp());
  return Ex{Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(now), Text("SECOND")), DateTime()};
}

absl::StatusOr<Ex> Now64(CallArgs&) {
  return Ex{std::make_unique<rewrite::ParameterRef>(rewrite::kNowParameter, Type::Timestamp()), DateTime64(3)};
}

template <int kDaysBack>
absl::StatusOr<Ex> Today(CallArgs&) {
  ScalarPtr now = std::make_unique<rewrite::ParameterRef>(rewrite::kNowParameter, Type::Timestamp());
  if (kDaysBack > 0)
    now = Call("$ch.add_units", Type::Timestamp(), std::move(now), Number(-kDaysBack), Text("day"), Text("UTC"));
  return Ex{Call("DATE", Type::Date(), std::move(now)), DateType()};
}

struct Start {
  const char* unit;
  int count;
  bool date;  // the result is a Date
};

// The beginning of a unit. UTC's own units are the plan's, which engines compute themselves.
absl::StatusOr<Ex> StartOf(CallArgs& call, const Start& start, size_t zone_at) {
  const ChType from = call[0].type;
  const std::string_view of = start.unit;
  if (of == "MINUTE" || of == "HOUR") LOGQUERY_RETURN_IF_ERROR(RefuseDate(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, zone_at, from.Zone()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  const bool plain = zone == "UTC" && start.count == 1 && std::string_view(start.unit) != "WEEK";
  ScalarPtr value = plain ? Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(time), Text(start.unit))
                          : Call("$ch.start_of", Type::Timestamp(), std::move(time), Text(start.unit),
                                 Number(start.count), Text(zone));
  if (start.date) {
    if (zone != "UTC")
      return call.resolver.Error(call.call.span, StrCat(call.call.text, " in a time zone is not supported"));
    return Ex{Call("DATE", Type::Date(), std::move(value)), DateType().Nullable(from.nullable)};
  }
  const bool named = zone_at < call.size() || !from.zone.empty();
  return Ex{std::move(value), DateTime(named ? zone : "").Nullable(from.nullable)};
}

template <const Start& kStart>
absl::StatusOr<Ex> StartOfFixed(CallArgs& call) {
  return StartOf(call, kStart, 1);
}

absl::StatusOr<Ex> StartOfSecond(CallArgs& call) {
  const ChType type = call[0].type;
  if (type.IsTime() && !type.Is(ChKind::kDateTime64))
    return call.resolver.Error(call.SpanOf(0), StrCat("toStartOfSecond wants a DateTime64, not ", type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  return Ex{Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(time), Text("SECOND")), type};
}

// Weeks begin on Sunday in mode 0, and on Monday in mode 1 and in toMonday.
absl::StatusOr<Ex> StartOfWeek(CallArgs& call) {
  int64_t mode = 0;
  if (call.call.text == "toMonday") {
    mode = 1;
  } else if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(mode, call.resolver.WantInt(call[1], call.SpanOf(1), "the week's mode"));
  }
  const bool nullable = call[0].type.nullable;
  if (call[0].type.Zone() != "UTC")
    return call.resolver.Error(call.call.span, StrCat(call.call.text, " in a time zone is not supported"));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  ScalarPtr date = Call("DATE", Type::Date(), std::move(time));
  ScalarPtr start = Call("DATE_TRUNC", Type::Date(), std::move(date), Text(mode % 2 == 1 ? "WEEK(MONDAY)" : "WEEK"));
  // The first week begins before 1970, and a Date does not.
  ScalarPtr first = DefaultOf(DateType());
  return Ex{Call("GREATEST", Type::Date(), std::move(start), std::move(first)), DateType().Nullable(nullable)};
}

// Weeks of 1970-01-01 begin before 1970, and a Date does not: then it is the first Date, or wraps around to the last
// ones where a DateTime64 has given it.
ScalarPtr FirstWeek(ScalarPtr start, const ChType& from) {
  if (!from.Is(ChKind::kDateTime64)) return Call("GREATEST", Type::Date(), std::move(start), DefaultOf(DateType()));
  ScalarPtr days = Call("UNIX_DATE", Type::Int64(), std::move(start));
  return Call("DATE_FROM_UNIX_DATE", Type::Date(), WrapTo(std::move(days), Int(16, false)));
}

absl::StatusOr<Ex> StartOfInterval(CallArgs& call) {
  if (!call[1].type.Is(ChKind::kInterval))
    return call.resolver.Error(call.SpanOf(1), "toStartOfInterval wants an interval, such as INTERVAL 5 MINUTE");
  const std::string unit = call[1].type.zone;
  const Value* count = ConstantOf(call[1]);
  if (count == nullptr || count->int64_value() < 1)
    return call.resolver.Error(call.SpanOf(1), "the interval must be a positive constant");
  const ChType from = call[0].type;
  if (*functions::FindChUnit(unit) < functions::ChUnit::kDay) LOGQUERY_RETURN_IF_ERROR(RefuseDate(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 2, from.Zone()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  ScalarPtr value =
      Call("$ch.start_of", Type::Timestamp(), std::move(time), Text(unit), Number(count->int64_value()), Text(zone));
  const bool date = unit == "Week" || unit == "Month" || unit == "Quarter" || unit == "Year";
  if (date && zone == "UTC") {
    ScalarPtr start = Call("DATE", Type::Date(), std::move(value));
    if (unit == "Week") start = FirstWeek(std::move(start), from);
    return Ex{std::move(start), DateType().Nullable(from.nullable)};
  }
  const bool finer = unit == "Millisecond" || unit == "Microsecond";
  const std::string named = call.size() > 2 ? zone : from.zone;
  if (finer) return Ex{std::move(value), DateTime64(unit == "Millisecond" ? 3 : 6, named).Nullable(from.nullable)};
  return Ex{std::move(value), DateTime(named).Nullable(from.nullable)};
}

// date_trunc('hour', time [, zone])
absl::StatusOr<Ex> DateTrunc(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string unit, call.resolver.WantText(call[0], call.SpanOf(0), "the unit"));
  if (!functions::FindChUnit(unit))
    return call.resolver.Error(call.SpanOf(0), StrCat("unknown unit '", unit.substr(0, 30), "'"));
  const ChType from = call[1].type;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 2, from.Zone()));
  const functions::ChUnit of = *functions::FindChUnit(unit);
  if (of < functions::ChUnit::kDay) LOGQUERY_RETURN_IF_ERROR(RefuseDate(call, 1));
  if (of < functions::ChUnit::kSecond && from.Is(ChKind::kDateTime))
    return call.resolver.Error(call.SpanOf(1), StrCat("a DateTime has no ", unit, "s; convert it by toDateTime64"));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 1));
  ScalarPtr value = Call("$ch.start_of", Type::Timestamp(), std::move(time), Text(unit), Number(1), Text(zone));
  const bool date = of >= functions::ChUnit::kWeek;
  const ChType made = from.Is(ChKind::kDateTime64) ? Date32Type() : DateType();
  if (date && zone == "UTC") return Ex{Call("DATE", Type::Date(), std::move(value)), made.Nullable(from.nullable)};
  const std::string named = call.size() > 2 ? zone : from.zone;
  const int digits = of == functions::ChUnit::kMicrosecond ? 6 : of == functions::ChUnit::kMillisecond ? 3 : 0;
  if (from.Is(ChKind::kDateTime64)) return Ex{std::move(value), DateTime64(digits, named).Nullable(from.nullable)};
  return Ex{std::move(value), DateTime(named).Nullable(from.nullable)};
}

struct TimePart {
  const char* part;
  int bits;
};

template <const TimePart& kPart>
absl::StatusOr<Ex> PartOf(CallArgs& call) {
  const ChType from = call[0].type;
  const std::string_view part = kPart.part;
  if (part == "hour" || part == "minute" || part == "second") LOGQUERY_RETURN_IF_ERROR(RefuseDate(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 1, from.Zone()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  return Ex{Call("$ch.time_part", Type::Int64(), std::move(time), Text(kPart.part), Text(zone)),
            Int(kPart.bits, false).Nullable(from.nullable)};
}

template <const char* const& kUnit>
absl::StatusOr<Ex> IntervalOf(CallArgs& call) {
  const bool nullable = call[0].type.nullable;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr count, call.resolver.ToInt(std::move(call[0]), call.SpanOf(0)));
  ChType type;
  type.kind = ChKind::kInterval;
  type.zone = kUnit;
  type.nullable = nullable;
  return Ex{std::move(count), type};
}

// addHours(time, 3), subtractDays(time, 1)
template <const char* const& kUnit, bool kNegative>
absl::StatusOr<Ex> AddUnits(CallArgs& call) {
  const ChType type = call[0].type.Nullable(call[1].type.nullable);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr count, call.resolver.ToInt(std::move(call[1]), call.SpanOf(1)));
  if (kNegative) count = Negated(std::move(count));
  ScalarPtr sum =
      Call("$ch.add_units", Type::Timestamp(), std::move(time), std::move(count), Text(kUnit), Text(type.Zone()));
  const std::string_view unit = kUnit;
  const bool days = unit == "Day" || unit == "Week" || unit == "Month" || unit == "Quarter" || unit == "Year";
  if (!type.Is(ChKind::kDate)) return Ex{std::move(sum), SumType(type, unit)};
  if (!days) return Ex{std::move(sum), DateTime().Nullable(type.nullable)};
  return Ex{Call("DATE", Type::Date(), std::move(sum)), type};
}

// dateDiff('day', a, b), and age, which counts complete units.
template <bool kAge>
absl::StatusOr<Ex> Difference(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string unit, call.resolver.WantText(call[0], call.SpanOf(0), "the unit"));
  if (!functions::FindChUnit(unit))
    return call.resolver.Error(call.SpanOf(0), StrCat("unknown unit '", unit.substr(0, 30), "'"));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 3, call[1].type.Zone()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, TimeAt(call, 1));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, TimeAt(call, 2));
  return Ex{Call(kAge ? "$ch.age" : "$ch.date_diff", Type::Int64(), Text(unit), std::move(a), std::move(b), Text(zone)),
            Int(64, true).Nullable(nullable)};
}

absl::StatusOr<Ex> ToTimeType(CallArgs& call, const ChType& type) {
  return call.resolver.CastValue(std::move(call[0]), type, call.call.span);
}

absl::StatusOr<Ex> ToDate(CallArgs& call) { return ToTimeType(call, DateType()); }

absl::StatusOr<Ex> ToDateTime(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 1, call[0].type.IsTime() ? call[0].type.zone : ""));
  return ToTimeType(call, DateTime(zone));
}

absl::StatusOr<Ex> ToDateTime64(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t precision, call.resolver.WantInt(call[1], call.SpanOf(1), "the precision"));
  if (precision < 0 || precision > 9) return call.resolver.Error(call.SpanOf(1), "the precision must be from 0 to 9");
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 2, call[0].type.IsTime() ? call[0].type.zone : ""));
  return ToTimeType(call, DateTime64(static_cast<int>(precision), zone));
}

// parseDateTimeBestEffort(text [, zone]), parseDateTime64BestEffort(text [, precision [, zone]]), -OrNull, -OrZero
absl::StatusOr<Ex> ParseTime(CallArgs& call) {
  const std::string& name = call.call.text;
  const bool fine = name.find("64") != std::string::npos;
  int64_t precision = 3;
  if (fine && call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(precision, call.resolver.WantInt(call[1], call.SpanOf(1), "the precision"));
    if (precision < 0 || precision > 9) return call.resolver.Error(call.SpanOf(1), "the precision must be from 0 to 9");
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, fine ? 2 : 1, ""));
  ChType type = fine ? DateTime64(static_cast<int>(precision), zone) : DateTime(zone);
  if (!call[0].type.Is(ChKind::kString))
    return call.resolver.Error(call.SpanOf(0), StrCat(name, " wants a text, not ", call[0].type.ToString()));
  const bool or_null = name.ends_with("OrNull");
  if (!or_null && !name.ends_with("OrZero")) return call.resolver.CastValue(std::move(call[0]), type, call.call.span);
  const bool nullable = call[0].type.nullable;
  ScalarPtr is_null = nullable ? IsNull(Same(call[0].scalar)) : nullptr;
  ScalarPtr time = Call("$ch.time_or_null", Type::Timestamp(), std::move(call[0].scalar), Text(type.Zone()));
  time = CutFraction(NearestIn(type, std::move(time)), fine ? static_cast<int>(precision) : 0);
  if (or_null) return Ex{std::move(time), type.Nullable()};
  time = IfNull(std::move(time), DefaultOf(type));
  if (nullable) time = If(std::move(is_null), NullOf(Type::Timestamp()), std::move(time));
  return Ex{std::move(time), type.Nullable(nullable)};
}

absl::StatusOr<Ex> FormatDateTime(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 2, call[0].type.Zone()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  if (!call[1].type.Is(ChKind::kString)) return call.resolver.Error(call.SpanOf(1), "formatDateTime wants a format");
  return Ex{Call("$ch.format_time", Type::String(), std::move(time), std::move(call[1].scalar), Text(zone)),
            String().Nullable(nullable)};
}

absl::StatusOr<Ex> ToTimeZone(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 1, "UTC"));
  Ex value = std::move(call[0]);
  if (!value.type.IsTime() || value.type.Is(ChKind::kDate))
    return call.resolver.Error(call.SpanOf(0), "toTimeZone wants a DateTime");
  value.type.zone = zone;
  return value;
}

constexpr Start kMinute = {"MINUTE", 1, false}, kHour = {"HOUR", 1, false}, kDay = {"DAY", 1, false};
constexpr Start kFive = {"MINUTE", 5, false}, kTen = {"MINUTE", 10, false}, kFifteen = {"MINUTE", 15, false};
constexpr Start kMonth = {"MONTH", 1, true}, kQuarter = {"QUARTER", 1, true}, kYear = {"YEAR", 1, true};
constexpr TimePart kYearPart = {"year", 16}, kQuarterPart = {"quarter", 8}, kMonthPart = {"month", 8},
                   kDayPart = {"day", 8};
constexpr TimePart kHourPart = {"hour", 8}, kMinutePart = {"minute", 8}, kSecondPart = {"second", 8},
                   kDowPart = {"dow", 8};
constexpr TimePart kDoyPart = {"doy", 16}, kIsoWeekPart = {"isoweek", 8}, kYm = {"yyyymm", 32}, kYmd = {"yyyymmdd", 32},
                   kYmdhms = {"yyyymmddhhmmss", 64};
constexpr const char* kMicrosecondUnit = "Microsecond";
constexpr const char* kMillisecondUnit = "Millisecond";
constexpr const char* kSecondUnit = "Second";
constexpr const char* kMinuteUnit = "Minute";
constexpr const char* kHourUnit = "Hour";
constexpr const char* kDayUnit = "Day";
constexpr const char* kWeekUnit = "Week";
constexpr const char* kMonthUnit = "Month";
constexpr const char* kQuarterUnit = "Quarter";
constexpr const char* kYearUnit = "Year";

template <const char* const& kUnit>
void AddUnit(FunctionMap& functions) {
  functions[StrCat("toInterval", kUnit)] = {1, 1, IntervalOf<kUnit>};
  functions[StrCat("add", kUnit, "s")] = {2, 2, AddUnits<kUnit, false>};
  functions[StrCat("subtract", kUnit, "s")] = {2, 2, AddUnits<kUnit, true>};
}

}  // namespace

void AddTimeFunctions(FunctionMap& functions) {
  functions["now"] = {0, 0, Now};
  functions["now64"] = {0, 1, Now64};
  functions["today"] = {0, 0, Today<0>};
  functions["yesterday"] = {0, 0, Today<1>};
  functions["toStartOfSecond"] = {1, 1, StartOfSecond};
  functions["toStartOfMinute"] = {1, 2, StartOfFixed<kMinute>};
  functions["toStartOfFiveMinutes"] = functions["toStartOfFiveMinute"] = {1, 2, StartOfFixed<kFive>};
  functions["toStartOfTenMinutes"] = {1, 2, StartOfFixed<kTen>};
  functions["toStartOfFifteenMinutes"] = {1, 2, StartOfFixed<kFifteen>};
  functions["toStartOfHour"] = {1, 2, StartOfFixed<kHour>};
  functions["toStartOfDay"] = {1, 2, StartOfFixed<kDay>};
  functions["toStartOfMonth"] = {1, 2, StartOfFixed<kMonth>};
  functions["toStartOfQuarter"] = {1, 2, StartOfFixed<kQuarter>};
  functions["toStartOfYear"] = {1, 2, StartOfFixed<kYear>};
  functions["toStartOfWeek"] = {1, 2, StartOfWeek};
  functions["toMonday"] = {1, 1, StartOfWeek};
  functions["toStartOfInterval"] = {2, 3, StartOfInterval};
  functions["date_trunc"] = functions["dateTrunc"] = {2, 3, DateTrunc};
  functions["toYear"] = functions["year"] = {1, 2, PartOf<kYearPart>};
  functions["toQuarter"] = {1, 2, PartOf<kQuarterPart>};
  functions["toMonth"] = functions["month"] = {1, 2, PartOf<kMonthPart>};
  functions["toDayOfMonth"] = functions["day"] = {1, 2, PartOf<kDayPart>};
  functions["toHour"] = functions["hour"] = {1, 2, PartOf<kHourPart>};
  functions["toMinute"] = functions["minute"] = {1, 2, PartOf<kMinutePart>};
  functions["toSecond"] = functions["second"] = {1, 2, PartOf<kSecondPart>};
  functions["toDayOfWeek"] = {1, 1, PartOf<kDowPart>};
  functions["toDayOfYear"] = {1, 2, PartOf<kDoyPart>};
  functions["toISOWeek"] = {1, 2, PartOf<kIsoWeekPart>};
  functions["toYYYYMM"] = {1, 2, PartOf<kYm>};
  functions["toYYYYMMDD"] = {1, 2, PartOf<kYmd>};
  functions["toYYYYMMDDhhmmss"] = {1, 2, PartOf<kYmdhms>};
  AddUnit<kMicrosecondUnit>(functions);
  AddUnit<kMillisecondUnit>(functions);
  AddUnit<kSecondUnit>(functions);
  AddUnit<kMinuteUnit>(functions);
  AddUnit<kHourUnit>(functions);
  AddUnit<kDayUnit>(functions);
  AddUnit<kWeekUnit>(functions);
  AddUnit<kMonthUnit>(functions);
  AddUnit<kQuarterUnit>(functions);
  AddUnit<kYearUnit>(functions);
  functions["dateDiff"] = functions["date_diff"] = {3, 4, Difference<false>};
  functions["age"] = {3, 4, Difference<true>};
  functions["toDate"] = functions["date"] = {1, 1, ToDate};
  functions["toDateTime"] = {1, 2, ToDateTime};
  functions["toDateTime64"] = {2, 3, ToDateTime64};
  for (const char* name : {"parseDateTimeBestEffort", "parseDateTime64BestEffort"}) {
    for (const char* suffix : {"", "OrNull", "OrZero"}) functions[StrCat(name, suffix)] = {1, 3, ParseTime};
  }
  functions["formatDateTime"] = {2, 3, FormatDateTime};
  functions["toTimeZone"] = {2, 2, ToTimeZone};
}

}  // namespace logquery::clickhouse_sql
