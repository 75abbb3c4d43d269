// Intervals, sums and differences of dates and times, and the arrays that step through them.
#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

struct Unit {
  std::string_view part;
  int64_t micros;  // 0: of days or months
  int days;        // 0: of months or shorter than a day
  int months;
};

constexpr Unit kUnits[] = {
    {"MICROSECOND", 1, 0, 0},      {"MILLISECOND", 1'000, 0, 0},      {"SECOND", 1'000'000, 0, 0},
    {"MINUTE", 60'000'000, 0, 0},  {"HOUR", 3'600'000'000, 0, 0},     {"DAY", 0, 1, 0},
    {"WEEK", 0, 7, 0},             {"MONTH", 0, 0, 1},                {"QUARTER", 0, 0, 3},
    {"YEAR", 0, 0, 12},
};

const Unit* FindUnit(std::string_view part) {
  for (const Unit& unit : kUnits) {
    if (unit.part == part) return &unit;
  }
  return nullptr;
}

absl::Status BadPart(const FunctionCall& call, std::string_view part) {
  return absl::InvalidArgumentError(StrCat(NameOf(call), " does not take the date part ", part));
}

std::string Times(const std::string& text, int64_t factor) {
  return factor == 1 ? text : StrCat("(", text, " * ", factor, ")");
}

StatusOr<std::string> IntervalOf(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  const Unit* unit = FindUnit(part);
  if (unit == nullptr) return BadPart(call, part);
  if (unit->micros != 0) return StrCat("to_microseconds(", Times(args[0], unit->micros), ")");
  if (unit->days != 0) return StrCat("to_days(CAST(", Times(args[0], unit->days), " AS INTEGER))");
  return StrCat("to_months(CAST(", Times(args[0], unit->months), " AS INTEGER))");
}

// What can be said of an interval argument before it has a value.
struct IntervalShape {
  bool known = false;
  bool months = false;
  bool days = false;
  bool micros = false;
};

IntervalShape ShapeOf(const FunctionCall& call, size_t index) {
  IntervalShape shape;
  if (const Value* value = ConstantOf(call, index)) {
    const Interval& interval = value->interval_value();
    return {true, interval.months != 0, interval.days != 0, interval.micros != 0};
  }
  const auto* made = rewrite::If<FunctionCall>(call.arguments[index].get());
  if (made == nullptr || made->overload == nullptr || NameOf(*made) != "$interval") return shape;
  const Unit* unit = FindUnit(PartOf(*made, 1));
  if (unit == nullptr) return shape;
  return {true, unit->months != 0, unit->days != 0, unit->micros != 0};
}

std::string HasMonths(const std::string& interval) {
  return StrCat("(date_part('year', ", interval, ") <> 0 OR date_part('month', ", interval, ") <> 0)");
}

// A TIMESTAMP moves by days of 24 hours and less; months have no length in it.
StatusOr<std::string> MoveTimestamp(const FunctionCall& call, const Texts& args, size_t timestamp, size_t interval,
                                    std::string_view op) {
  const IntervalShape shape = ShapeOf(call, interval);
  if (shape.known && shape.months) {
    return absl::InvalidArgumentError(StrCat(
        NameOf(call), ": a TIMESTAMP can't be moved by months, quarters or years; use DATETIME_ADD or DATE_ADD"));
  }
  if (shape.known) return StrCat("(", args[timestamp], " ", op, " ", args[interval], ")");
  return Once({args[timestamp], args[interval]}, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", HasMonths(a[1]), " THEN ",
                  ErrorText("'a TIMESTAMP cannot be moved by an interval with months or years'"), " ELSE ", a[0], " ",
                  op, " ", a[1], " END)");
  });
}

StatusOr<std::string> TimestampAdd(const FunctionCall& call, const Texts& args) {
  return MoveTimestamp(call, args, 0, 1, "+");
}
StatusOr<std::string> TimestampSub(const FunctionCall& call, const Texts& args) {
  return MoveTimestamp(call, args, 0, 1, "-");
}
StatusOr<std::string> IntervalAddTimestamp(const FunctionCall& call, const Texts& args) {
  return MoveTimestamp(call, args, 1, 0, "+");
}

// DATE_ADD and DATE_SUB: whole days only.
StatusOr<std::string> MoveDate(const FunctionCall& call, const Texts& args, std::string_view op) {
  const IntervalShape shape = ShapeOf(call, 1);
  if (!shape.known || shape.micros) {
    return absl::InvalidArgumentError(StrCat(NameOf(call), " takes DAY, WEEK, MONTH, QUARTER or YEAR"));
  }
  return StrCat("CAST(", args[0], " ", op, " ", args[1], " AS DATE)");
}
StatusOr<std::string> DateAdd(const FunctionCall& call, const Texts& args) { return MoveDate(call, args, "+"); }
StatusOr<std::string> DateSub(const FunctionCall& call, const Texts& args) { return MoveDate(call, args, "-"); }

// TIME_ADD and TIME_SUB: hours and less, round the clock.
StatusOr<std::string> MoveTime(const FunctionCall& call, const Texts& args, std::string_view op) {
  const IntervalShape shape = ShapeOf(call, 1);
  if (!shape.known || shape.days || shape.months) {
    return absl::InvalidArgumentError(StrCat(NameOf(call), " takes HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND"));
  }
  return StrCat("(", args[0], " ", op, " ", args[1], ")");
}
StatusOr<std::string> TimeAdd(const FunctionCall& call, const Texts& args) { return MoveTime(call, args, "+"); }
StatusOr<std::string> TimeSub(const FunctionCall& call, const Texts& args) { return MoveTime(call, args, "-"); }

// Whole units between two moments, toward zero.
StatusOr<std::string> TimestampDiff(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 2);
  const Unit* unit = FindUnit(part);
  if (unit == nullptr || unit->days > 1 || unit->months != 0) return BadPart(call, part);
  const int64_t micros = unit->days == 1 ? 86'400'000'000 : unit->micros;
  const std::string difference = StrCat("(epoch_us(", args[0], ") - epoch_us(", args[1], "))");
  return micros == 1 ? difference : StrCat("(", difference, " // ", micros, ")");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"interval", IntervalOf},
    {"timestamp_add_interval", TimestampAdd},
    {"timestamp_sub_interval", TimestampSub},
    {"interval_add_timestamp", IntervalAddTimestamp},
    {"date_add", DateAdd},
    {"date_sub", DateSub},
    {"time_add", TimeAdd},
    {"time_sub", TimeSub},
    {"timestamp_diff", TimestampDiff},
};

}  // namespace

DuckDbFunctionList DuckDbTimeArithmetic() { return kEntries; }

}  // namespace logquery::emit
