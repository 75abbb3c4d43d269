// Functions on times. A TIMESTAMP of microseconds is a DateTime64; what is truncated to whole seconds is a DateTime.
#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/model/time_text.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// The name of a date part, upper case, with the argument of WEEK(MONDAY); empty: it is none.
std::string PartOf(const sql::Call::Argument& argument) {
  const auto* path = sql::If<sql::PathExpr>(argument.value.get());
  if (path == nullptr || path->names.size() != 1) return "";
  const std::string part = base::ToUpper(path->names[0].text);
  return argument.part_argument.empty() ? part : StrCat(part, "(", base::ToUpper(argument.part_argument), ")");
}

const std::string* ZoneOf(const sql::Expr* expr) {
  const auto* literal = sql::If<sql::Literal>(expr);
  return literal != nullptr && literal->form == sql::Literal::Form::kString ? &literal->text : nullptr;
}

// The same for a zone by its name; ClickHouse has none such as +05:30.
const std::string* ZoneNameOf(const sql::Expr* expr) {
  const std::string* const zone = ZoneOf(expr);
  const bool named = zone != nullptr && !zone->empty() && absl::ascii_isalpha(static_cast<unsigned char>((*zone)[0]));
  return named ? zone : nullptr;
}

struct Unit {
  std::string_view part;
  std::string_view interval;  // the suffix of toInterval
  int64_t micros;             // 0: of no fixed length
};
constexpr std::array<Unit, 10> kUnits = {{{"MICROSECOND", "Microsecond", 1},
                                          {"MILLISECOND", "Millisecond", 1'000},
                                          {"SECOND", "Second", 1'000'000},
                                          {"MINUTE", "Minute", 60'000'000},
                                          {"HOUR", "Hour", 3'600'000'000},
                                          {"DAY", "Day", 86'400'000'000},
                                          {"WEEK", "Week", 604'800'000'000},
                                          {"MONTH", "Month", 0},
                                          {"QUARTER", "Quarter", 0},
                                          {"YEAR", "Year", 0}}};

const Unit* FindUnit(std::string_view part) {
  const auto* const found = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.part == part; });
  return found == kUnits.end() ? nullptr : found;
}

// FORMAT_TIMESTAMP's elements in formatDateTime's; empty: there is no equal.
constexpr std::pair<char, std::string_view> kElements[] = {
    {'Y', "%Y"}, {'m', "%m"}, {'d', "%d"}, {'H', "%H"}, {'M', "%i"}, {'S', "%S"}, {'a', "%a"},
    {'j', "%j"}, {'F', "%F"}, {'T', "%T"}, {'y', "%y"}, {'b', "%b"}, {'B', "%M"}, {'%', "%%"}};

// The microseconds of a literal time, perhaps inside of TIMESTAMP(…).
std::optional<int64_t> MicrosOf(const sql::Expr& expr) {
  const auto* call = sql::If<sql::Call>(&expr);
  if (call != nullptr && call->arguments.size() == 1 && call->arguments[0].value != nullptr &&
      base::EqualsIgnoreCase(call->name.back().text, "timestamp")) {
    return MicrosOf(*call->arguments[0].value);
  }
  const auto* literal = sql::If<sql::Literal>(&expr);
  if (literal == nullptr) return std::nullopt;
  const absl::StatusOr<Value> time = model::ParseTimestampText(literal->text, "UTC");
  return time.ok() ? std::optional<int64_t>(time->int64_value()) : std::nullopt;
}

bool IsTime(const Type& type) { return type.is(TypeKind::kTimestamp) || type.is(TypeKind::kDatetime); }

}  // namespace

absl::StatusOr<ch::ExprPtr> ToClickHouse::IntervalOf(const sql::Expr& expr, const Scope& scope) {
  const auto* interval = sql::If<sql::IntervalExpr>(&expr);
  const Unit* unit = interval != nullptr && interval->to.empty() ? FindUnit(interval->from) : nullptr;
  if (unit == nullptr || !TypeOf(*interval->value).is(TypeKind::kInt64))
    return Unsupported(expr.span, "an interval other than a whole number of one unit");
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*interval->value, scope));
  return ch::MakeCallOf(StrCat("toInterval", unit->interval), std::move(value.expr));
}

absl::StatusOr<ChValue> ToClickHouse::Truncated(const sql::Call& call, const Scope& scope) {
  if (call.arguments.size() < 2 || call.arguments.size() > 3) return Unsupported(call.span, "these arguments");
  const std::string part = PartOf(call.arguments[1]);
  const bool is_date = TypeOf(call).is(TypeKind::kDate);
  const std::string* zone = call.arguments.size() == 3 ? ZoneNameOf(call.arguments[2].value.get()) : nullptr;
  if (call.arguments.size() == 3 && zone == nullptr)
    return Unsupported(call.arguments[2].value->span, "a zone that is no name in a literal");
  constexpr std::pair<std::string_view, std::string_view> kFunctions[] = {
      {"SECOND", "toStartOfSecond"},   {"MINUTE", "toStartOfMinute"}, {"HOUR", "toStartOfHour"},
      {"DAY", "toStartOfDay"},         {"WEEK", "toStartOfWeek"},     {"WEEK(SUNDAY)", "toStartOfWeek"},
      {"WEEK(MONDAY)", "toMonday"},    {"ISOWEEK", "toMonday"},       {"MONTH", "toStartOfMonth"},
      {"QUARTER", "toStartOfQuarter"}, {"YEAR", "toStartOfYear"}};
  std::string function;
  for (const auto& [known, name] : kFunctions) {
    if (known == part) function = name;
  }
  if (function.empty()) return Unsupported(call.arguments[1].value->span, StrCat("truncation to ", part));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Operand(*call.arguments[0].value, &TypeOf(call), scope));
  const bool nullable = value.nullable;
  const bool gives_date = part != "SECOND" && part != "MINUTE" && part != "HOUR" && part != "DAY";
  if (zone != nullptr) {
    if (gives_date || part == "SECOND")
      return Unsupported(call.arguments[2].value->span, StrCat("truncation to ", part, " in a zone"));
    return ChValue{ch::MakeCallOf(function, std::move(value.expr), ch::MakeString(*zone)), TypeOf(call), nullable,
                   true};
  }
  if (is_date) {
    if (!gives_date) return part == "DAY" ? std::move(value) : ChValue();
    return ChValue{ch::MakeCallOf(function, std::move(value.expr)), TypeOf(call), nullable, false};
  }
  if (part == "SECOND") {
    ch::ExprPtr second =
        value.is_datetime ? std::move(value.expr) : ch::MakeCallOf("toDateTime", std::move(value.expr));
    return ChValue{std::move(second), TypeOf(call), nullable, true};
  }
  ch::ExprPtr start = ch::MakeCallOf(function, std::move(value.expr));
  if (gives_date) start = ch::MakeCallOf("toDateTime", std::move(start));
  return ChValue{std::move(start), TypeOf(call), nullable, true};
}

absl::StatusOr<ChValue> ToClickHouse::Shifted(const sql::Call& call, bool back, const Scope& scope) {
  if (call.arguments.size() != 2) return Unsupported(call.span, "these arguments");
  LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Operand(*call.arguments[0].value, &TypeOf(call), scope));
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr interval, IntervalOf(*call.arguments[1].value, scope));
  const bool small = interval->text == "toIntervalMicrosecond" || interval->text == "toIntervalMillisecond";
  if (time.is_datetime && small) time.expr = ch::MakeCallOf("toDateTime64", std::move(time.expr), ch::MakeNumber(6));
  time.is_datetime = time.is_datetime && !small;
  time.expr = ch::MakeCallOf(back ? "minus" : "plus", std::move(time.expr), std::move(interval));
  return time;
}

ch::ExprPtr ToClickHouse::Micros(ChValue value) {
  if (value.is_datetime) value.expr = ch::MakeCallOf("toDateTime64", std::move(value.expr), ch::MakeNumber(6));
  return ch::MakeCallOf("toUnixTimestamp64Micro", std::move(value.expr));
}

absl::StatusOr<ChValue> ToClickHouse::Difference(const sql::Call& call, const std::string& name, const Scope& scope) {
  if (call.arguments.size() != 3) return Unsupported(call.span, "these arguments");
  const Unit* unit = FindUnit(PartOf(call.arguments[2]));
  if (name == "DATE_DIFF") {
    const bool dates = TypeOf(*call.arguments[0].value).is(TypeKind::kDate);
    if (unit == nullptr || unit->part != "DAY" || !dates)
      return Unsupported(call.span, "DATE_DIFF of other values than dates, or in other units than DAY");
  }
  if (unit == nullptr || unit->micros == 0 || unit->part == "WEEK")
    return Unsupported(call.span, StrCat(name, " in this unit"));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue a, Operand(*call.arguments[0].value, &TypeOf(*call.arguments[1].value), scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue b, Operand(*call.arguments[1].value, &TypeOf(*call.arguments[0].value), scope));
  const bool nullable = a.nullable || b.nullable;
  if (name == "DATE_DIFF") {
    return ChValue{ch::MakeCallOf("dateDiff", ch::MakeString("day"), std::move(b.expr), std::move(a.expr)),
                   Type::Int64(), nullable, false};
  }
  Note(call.span,
       "TIMESTAMP_DIFF counts complete units; ClickHouse's dateDiff counts boundaries, so microseconds are divided");
  ch::ExprPtr micros = ch::MakeCallOf("minus", Micros(std::move(a)), Micros(std::move(b)));
  if (unit->micros > 1) micros = ch::MakeCallOf("intDiv", std::move(micros), ch::MakeNumber(unit->micros));
  return ChValue{std::move(micros), Type::Int64(), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Formatted(const sql::Call& call, const Scope& scope) {
  const std::string* format = call.arguments.empty() ? nullptr : ZoneOf(call.arguments[0].value.get());
  const bool has_zone = call.arguments.size() == 3;
  const std::string* zone = has_zone ? ZoneNameOf(call.arguments[2].value.get()) : nullptr;
  if (format == nullptr || call.arguments.size() < 2 || (has_zone && zone == nullptr))
    return Unsupported(call.span, "a format that is no literal, or a zone that is no name in one");
  std::string made;
  for (size_t i = 0; i < format->size(); ++i) {
    if ((*format)[i] != '%') {
      made += (*format)[i];
      continue;
    }
    std::string_view element;
    const char letter = ++i < format->size() ? (*format)[i] : '\0';
    for (const auto& [known, text] : kElements) {
      if (known == letter) element = text;
    }
    if (element.empty())
      return Unsupported(call.arguments[0].value->span, StrCat("the format element %", std::string(1, letter)));
    made += element;
  }
  Note(call.span, "in ClickHouse's formats %i is the minute, and %M the month's name");
  LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Operand(*call.arguments[1].value, nullptr, scope));
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(time.expr));
  args.push_back(ch::MakeString(std::move(made)));
  if (zone != nullptr) args.push_back(ch::MakeString(*zone));
  return ChValue{ch::MakeCall("formatDateTime", std::move(args)), Type::String(), time.nullable, false};
}

// GENERATE_TIMESTAMP_ARRAY(from, to, INTERVAL n unit) of literals.
absl::StatusOr<ChValue> ToClickHouse::Series(const sql::Call& call, const Scope& scope) {
  const auto* interval =
      call.arguments.size() == 3 ? sql::If<sql::IntervalExpr>(call.arguments[2].value.get()) : nullptr;
  const Unit* unit = interval == nullptr ? nullptr : FindUnit(interval->from);
  const auto* step = interval == nullptr ? nullptr : sql::If<sql::Literal>(interval->value.get());
  const int64_t count = step == nullptr ? 0 : std::atoll(step->text.c_str());
  if (unit == nullptr || unit->micros < 1'000'000 || count < 1 || count > 1'000'000)
    return Unsupported(call.span, "a series of times in other steps than whole seconds");
  const std::optional<int64_t> from = MicrosOf(*call.arguments[0].value);
  const std::optional<int64_t> to = MicrosOf(*call.arguments[1].value);
  if (!from || !to) return Unsupported(call.span, "a series of times whose bounds are no literals");
  const int64_t steps = *to < *from ? 0 : (*to - *from) / (unit->micros * count) + 1;
  LOGQUERY_ASSIGN_OR_RETURN(ChValue first, Operand(*call.arguments[0].value, &TypeOf(call).element(), scope));
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(first.expr));
  args.push_back(ch::MakeNumber(count));
  args.push_back(ch::MakeNumber(steps));
  const std::string by = count == 1 ? "i" : "i * _2";
  LOGQUERY_ASSIGN_OR_RETURN(
      ch::ExprPtr made,
      ch::FillTemplate(StrCat("arrayMap(i -> _1 + toInterval", unit->interval, "(", by, "), range(_3))"), args));
  return ChValue{std::move(made), TypeOf(call), false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Extract(const sql::ExtractExpr& extract, const Scope& scope) {
  constexpr std::pair<std::string_view, std::string_view> kFunctions[] = {
      {"YEAR", "toYear"},       {"QUARTER", "toQuarter"},     {"MONTH", "toMonth"},   {"DAY", "toDayOfMonth"},
      {"HOUR", "toHour"},       {"MINUTE", "toMinute"},       {"SECOND", "toSecond"}, {"DAYOFYEAR", "toDayOfYear"},
      {"ISOWEEK", "toISOWeek"}, {"DAYOFWEEK", "toDayOfWeek"}, {"DATE", "toDate"}};
  const std::string part = base::ToUpper(extract.part.text);
  std::string function;
  for (const auto& [known, name] : kFunctions) {
    if (known == part && extract.part_argument.empty()) function = name;
  }
  const Type& type = TypeOf(*extract.operand);
  if (function.empty() || !(IsTime(type) || type.is(TypeKind::kDate)))
    return Unsupported(extract.span, StrCat("EXTRACT of ", part, " from ", type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Expr(*extract.operand, scope));
  if (extract.time_zone != nullptr) {
    const std::string* zone = ZoneNameOf(extract.time_zone.get());
    if (zone == nullptr) return Unsupported(extract.time_zone->span, "a zone that is no name in a literal");
    time.expr = ch::MakeCallOf("toTimeZone", std::move(time.expr), ch::MakeString(*zone));
  }
  ch::ExprPtr made = ch::MakeCallOf(function, std::move(time.expr));
  if (part == "DAYOFWEEK") {
    Note(extract.span, "weeks begin on Sunday as 1 in BigQuery, on Monday as 1 in ClickHouse");
    made = ch::MakeCallOf("plus", ch::MakeCallOf("modulo", std::move(made), ch::MakeNumber(7)), ch::MakeNumber(1));
  }
  return ChValue{std::move(made), TypeOf(extract), time.nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::TimeCall(const sql::Call& call, const std::string& name, const Scope& scope,
                                               bool& handled) {
  const size_t count = call.arguments.size();
  if (name == "CURRENT_TIMESTAMP" && count == 0)
    return ChValue{ch::MakeCallOf("now64", ch::MakeNumber(6)), Type::Timestamp(), false, false};
  if (name == "TIMESTAMP_TRUNC" || name == "DATE_TRUNC" || name == "DATETIME_TRUNC") {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Truncated(call, scope));
    if (value.expr == nullptr) return Unsupported(call.span, StrCat(name, " to this part"));
    return value;
  }
  if (name == "TIMESTAMP_SUB" || name == "DATETIME_SUB") return Shifted(call, true, scope);
  if (name == "TIMESTAMP_ADD" || name == "DATETIME_ADD") return Shifted(call, false, scope);
  if (name == "TIMESTAMP_DIFF" || name == "DATE_DIFF") return Difference(call, name, scope);
  if (name == "FORMAT_TIMESTAMP" || name == "FORMAT_DATETIME" || name == "FORMAT_DATE") return Formatted(call, scope);
  if (name == "GENERATE_TIMESTAMP_ARRAY") return Series(call, scope);
  const bool of_time = count == 1 && call.arguments[0].value != nullptr && IsTime(TypeOf(*call.arguments[0].value));
  if (name == "TIMESTAMP" && count == 1) {
    const std::string* text = ZoneOf(call.arguments[0].value.get());
    if (text != nullptr) return TimeLiteral(*text, Type::Timestamp(), call.span);
    if (of_time) return Expr(*call.arguments[0].value, scope);
  }
  if (name == "DATETIME" && of_time) return Expr(*call.arguments[0].value, scope);
  if (name == "DATE" && of_time) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Expr(*call.arguments[0].value, scope));
    return ChValue{ch::MakeCallOf("toDate", std::move(time.expr)), Type::Date(), time.nullable, false};
  }
  if (name == "TIME" && of_time) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Expr(*call.arguments[0].value, scope));
    if (!time.is_datetime) return Unsupported(call.span, "TIME of a time with a fraction; ClickHouse has no type TIME");
    Note(call.span, "ClickHouse has no type TIME; the time of day is a text");
    return ChValue{ch::MakeCallOf("formatDateTime", std::move(time.expr), ch::MakeString("%T")), Type::Time(),
                   time.nullable, false};
  }
  constexpr std::pair<std::string_view, std::string_view> kUnix[] = {{"UNIX_MICROS", "toUnixTimestamp64Micro"},
                                                                     {"UNIX_MILLIS", "toUnixTimestamp64Milli"},
                                                                     {"UNIX_SECONDS", "toUnixTimestamp64Second"}};
  for (const auto& [known, function] : kUnix) {
    if (name != known || !of_time) continue;
    LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Expr(*call.arguments[0].value, scope));
    if (time.is_datetime) time.expr = ch::MakeCallOf("toDateTime64", std::move(time.expr), ch::MakeNumber(6));
    return ChValue{ch::MakeCallOf(std::string(function), std::move(time.expr)), Type::Int64(), time.nullable, false};
  }
  handled = false;
  return ChValue();
}

}  // namespace logquery::tools
