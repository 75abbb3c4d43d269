// Intervals, sums and differences of dates and times, and arrays of equidistant times.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/scalars.h"

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
    {"MICROSECOND", 1, 0, 0},
    {"MILLISECOND", 1'000, 0, 0},
    {"SECOND", 1'000'000, 0, 0},
    {"MINUTE", 60'000'000, 0, 0},
    {"HOUR", 3'600'000'000, 0, 0},
    {"DAY", 0, 1, 0},
    {"WEEK", 0, 7, 0},
    {"MONTH", 0, 0, 1},
    {"QUARTER", 0, 0, 3},
    {"YEAR", 0, 0, 12},
};

const Unit* FindUnit(std::string_view part) {
  for (const Unit& unit : kUnits) {
    if (unit.part == part) return &unit;
  }
  return nullptr;
}

Sql Times(const Sql& text, int64_t factor) { return factor == 1 ? text : Cat("(", text, " * ", factor, ")"); }

StatusOr<Sql> IntervalOf(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 1);
  const Unit* unit = FindUnit(part);
  if (unit == nullptr) return BadPart(call, part);
  if (unit->micros != 0) return Cat("to_microseconds(", Times(args[0], unit->micros), ")");
  if (unit->days != 0) return Cat("to_days(CAST(", Times(args[0], unit->days), " AS INTEGER))");
  return Cat("to_months(CAST(", Times(args[0], unit->months), " AS INTEGER))");
}

// The facts about an interval argument that are known before it has a value.
struct IntervalShape {
  bool known = false;
  bool months = false;
  bool days = false;
  bool micros = false;
};

IntervalShape ShapeOf(const FunctionCall& call, size_t index) {
  IntervalShape shape;
  if (const Value* value = rewrite::ConstantArgument(call, index)) {
    const Interval& interval = value->interval_value();
    return {true, interval.months != 0, interval.days != 0, interval.micros != 0};
  }
  const auto* made = rewrite::If<FunctionCall>(call.arguments[index].get());
  if (made == nullptr || made->overload == nullptr || NameOf(*made) != "$interval") return shape;
  const Unit* unit = FindUnit(PartOf(*made, 1));
  if (unit == nullptr) return shape;
  return {true, unit->months != 0, unit->days != 0, unit->micros != 0};
}

Sql HasMonths(const Sql& interval) {
  return Cat("(date_part('year', ", interval, ") <> 0 OR date_part('month', ", interval, ") <> 0)");
}

// A TIMESTAMP moves by days of 24 hours and less; months have no length in it.
StatusOr<Sql> MoveTimestamp(const FunctionCall& call, const Texts& args, size_t timestamp, size_t interval,
                            std::string_view op) {
  const IntervalShape shape = ShapeOf(call, interval);
  if (shape.known && shape.months) {
    return absl::InvalidArgumentError(StrCat(
        ShownName(call), ": a TIMESTAMP can't be moved by months, quarters or years; use DATETIME_ADD or DATE_ADD"));
  }
  if (shape.known) return Cat("lq_timestamp_in_range(", args[timestamp], " ", op, " ", args[interval], ")");
  return Once({args[timestamp], args[interval]}, [&](const Texts& a) {
    return Cat("(CASE WHEN ", HasMonths(a[1]), " THEN ",
               ErrorText("'a TIMESTAMP cannot be moved by an interval with months or years'"),
               " ELSE lq_timestamp_in_range(", a[0], " ", op, " ", a[1], ") END)");
  });
}

StatusOr<Sql> TimestampAdd(const FunctionCall& call, const Texts& args) { return MoveTimestamp(call, args, 0, 1, "+"); }
StatusOr<Sql> TimestampSub(const FunctionCall& call, const Texts& args) { return MoveTimestamp(call, args, 0, 1, "-"); }
StatusOr<Sql> IntervalAddTimestamp(const FunctionCall& call, const Texts& args) {
  return MoveTimestamp(call, args, 1, 0, "+");
}

Sql HasTime(const Sql& interval) {
  return Cat("(date_part('hour', ", interval, ") <> 0 OR date_part('minute', ", interval,
             ") <> 0 OR date_part('microsecond', ", interval, ") <> 0)");
}

// DATE_ADD and DATE_SUB: whole days only.
StatusOr<Sql> MoveDate(const FunctionCall& call, const Texts& args, std::string_view op) {
  const IntervalShape shape = ShapeOf(call, 1);
  if (shape.known && shape.micros) {
    return absl::InvalidArgumentError(StrCat(ShownName(call), " takes DAY, WEEK, MONTH, QUARTER or YEAR"));
  }
  if (shape.known) return Cat("lq_date_in_range(CAST(", args[0], " ", op, " ", args[1], " AS DATE))");
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", HasTime(a[1]), " THEN ", ErrorText("'a DATE cannot be moved by less than a day'"),
               " ELSE lq_date_in_range(CAST(", a[0], " ", op, " ", a[1], " AS DATE)) END)");
  });
}
StatusOr<Sql> DateAdd(const FunctionCall& call, const Texts& args) { return MoveDate(call, args, "+"); }
StatusOr<Sql> DateSub(const FunctionCall& call, const Texts& args) { return MoveDate(call, args, "-"); }

// TIME_ADD and TIME_SUB: hours and less, round the clock.
StatusOr<Sql> MoveTime(const FunctionCall& call, const Texts& args, std::string_view op) {
  const IntervalShape shape = ShapeOf(call, 1);
  if (shape.known && (shape.days || shape.months)) {
    return absl::InvalidArgumentError(
        StrCat(ShownName(call), " takes HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND"));
  }
  if (shape.known) return Cat("(", args[0], " ", op, " ", args[1], ")");
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", HasMonths(a[1]), " OR date_part('day', ", a[1], ") <> 0 THEN ",
               ErrorText("'a TIME cannot be moved by days'"), " ELSE ", a[0], " ", op, " ", a[1], " END)");
  });
}
StatusOr<Sql> TimeAdd(const FunctionCall& call, const Texts& args) { return MoveTime(call, args, "+"); }
StatusOr<Sql> TimeSub(const FunctionCall& call, const Texts& args) { return MoveTime(call, args, "-"); }

// Whole units between two moments, toward zero.
StatusOr<Sql> TimestampDiff(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 2);
  const Unit* unit = FindUnit(part);
  if (unit == nullptr || unit->days > 1 || unit->months != 0) return BadPart(call, part);
  const int64_t micros = unit->days == 1 ? 86'400'000'000 : unit->micros;
  const Sql difference = Cat("(epoch_us(", args[0], ") - epoch_us(", args[1], "))");
  return micros == 1 ? difference : Cat("(", difference, " // ", micros, ")");
}

// Returns the number of boundaries of the part between two dates or clock readings.
Sql Boundaries(const Texts& a, absl::FunctionRef<Sql(const Sql&)> number) {
  return Cat("(", number(a[0]), " - ", number(a[1]), ")");
}

StatusOr<Sql> DatetimeDiff(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 2);
  const Type& type = call.arguments[0]->type;
  const Unit* unit = FindUnit(part);
  const auto date = [&](const Sql& x) { return type.is(TypeKind::kDate) ? x : Cat("CAST(", x, " AS DATE)"); };
  if (unit != nullptr && unit->micros != 0) {
    if (type.is(TypeKind::kDate)) return BadPart(call, part);
    return Boundaries(args, [&](const Sql& x) {
      return Cat("epoch_us(date_trunc('", base::ToLower(part), "', ", x, ")) // ", unit->micros);
    });
  }
  if (part == "DAY") return Boundaries(args, date);
  if (part == "ISOYEAR") return Boundaries(args, [](const Sql& x) { return Cat("date_part('isoyear', ", x, ")"); });
  if (part == "YEAR") return Boundaries(args, [](const Sql& x) { return Cat("date_part('year', ", x, ")"); });
  if (part == "MONTH" || part == "QUARTER")
    return Cat("date_diff('", base::ToLower(part), "', ", args[1], ", ", args[0], ")");
  // The remaining part is a week with a given first day.
  StatusOr<Sql> later = TruncatedText(call, part, date(args[0]), Type::Date());
  StatusOr<Sql> earlier = TruncatedText(call, part, date(args[1]), Type::Date());
  if (!later.ok()) return later;
  return Cat("((", *later, " - ", *earlier, ") // 7)");
}

StatusOr<Sql> TimeDiff(const FunctionCall& call, const Texts& args) {
  const std::string part = PartOf(call, 2);
  const Unit* unit = FindUnit(part);
  if (unit == nullptr || unit->micros == 0) return BadPart(call, part);
  return Boundaries(args, [&](const Sql& x) { return Cat("epoch_us(", x, ") // ", unit->micros); });
}

// The beginning of the bucket, counted from an origin that is 1950-01-01 unless given.
StatusOr<Sql> TimeBucket(const FunctionCall& call, const Texts& args) {
  const Type& type = call.arguments[0]->type;
  const IntervalShape shape = ShapeOf(call, 1);
  if (type.is(TypeKind::kTimestamp) && shape.known && shape.months) {
    return absl::InvalidArgumentError(StrCat(NameOf(call), " of a TIMESTAMP takes no months, quarters or years"));
  }
  Sql origin = type.is(TypeKind::kDate) ? "DATE '1950-01-01'" : "TIMESTAMP '1950-01-01'";
  if (args.size() > 2) origin = args[2];
  return Cat("lq_", base::ToLower(TypeKindName(type.kind())), "_bucket(", args[0], ", ", args[1], ", ", origin, ")");
}

// The three parts of an interval, as texts of BIGINT.
struct IntervalParts {
  Sql months;
  Sql days;
  Sql micros;
};

IntervalParts PartsOf(const Sql& interval) {
  return {Cat("(12 * date_part('year', ", interval, ") + date_part('month', ", interval, "))"),
          Cat("date_part('day', ", interval, ")"),
          Cat("(3600000000 * date_part('hour', ", interval, ") + 60000000 * date_part('minute', ", interval,
              ") + date_part('microsecond', ", interval, "))")};
}

Sql FromParts(const IntervalParts& parts) {
  return Cat("(to_months(CAST(", parts.months, " AS INTEGER)) + to_days(CAST(", parts.days,
             " AS INTEGER)) + to_microseconds(CAST(", parts.micros, " AS BIGINT)))");
}

Sql InRange(const Sql& interval) { return Cat("lq_interval_in_range(", interval, ")"); }

// Carries whole units of `low` into `high`, and keeps their signs alike.
Sql Carried(const Sql& high, const Sql& low, int64_t unit, absl::FunctionRef<Sql(const Sql&, const Sql&)> make) {
  return Once({Cat("(", high, " + ", low, " // ", unit, ")"), Cat("(", low, " % ", unit, ")")}, [&](const Texts& a) {
    const Sql shift = Cat("CASE WHEN ", a[0], " > 0 AND ", a[1], " < 0 THEN 1 WHEN ", a[0], " < 0 AND ", a[1],
                          " > 0 THEN -1 ELSE 0 END");
    return make(Cat("(", a[0], " - ", shift, ")"), Cat("(", a[1], " + ", unit, " * ", shift, ")"));
  });
}

StatusOr<Sql> Justify(const FunctionCall& call, const Texts& args) {
  constexpr int64_t kDay = 86'400'000'000;
  return Once(args, [&](const Texts& a) {
    const IntervalParts parts = PartsOf(a[0]);
    if (NameOf(call) == "JUSTIFY_DAYS") {
      return Carried(parts.months, parts.days, 30, [&](const Sql& months, const Sql& days) {
        return FromParts({months, days, parts.micros});
      });
    }
    if (NameOf(call) == "JUSTIFY_HOURS") {
      return Carried(parts.days, parts.micros, kDay, [&](const Sql& days, const Sql& micros) {
        return FromParts({parts.months, days, micros});
      });
    }
    return Carried(Cat("(30 * ", parts.months, " + ", parts.days, ")"), parts.micros, kDay,
                   [&](const Sql& days, const Sql& micros) {
                     return Once({days, micros}, [&](const Texts& b) {
                       return FromParts({Cat(b[0], " // 30"), Cat(b[0], " % 30"), b[1]});
                     });
                   });
  });
}

StatusOr<Sql> MakeInterval(const FunctionCall&, const Texts& args) {
  Texts a = args;
  a.resize(6, "0");
  return InRange(FromParts({Cat("12 * ", a[0], " + ", a[1]), a[2],
                            Cat("3600000000 * ", a[3], " + 60000000 * ", a[4], " + 1000000 * ", a[5])}));
}

// Divides part by part. The remainder of a part is carried to the next as 30 days, or 24 hours.
Sql QuotientOf(const Sql& interval, const Sql& divisor) {
  const IntervalParts parts = PartsOf(interval);
  return Once({parts.months, parts.days, parts.micros, divisor}, [](const Texts& a) {
    return Once({a[0], Cat("(", a[1], " + 30 * (", a[0], " % ", a[3], "))"), a[2], a[3]}, [](const Texts& b) {
      return FromParts({Cat(b[0], " // ", b[3]), Cat(b[1], " // ", b[3]),
                        Cat("(", b[2], " + 86400000000 * (", b[1], " % ", b[3], ")) // ", b[3])});
    });
  });
}

StatusOr<Sql> IntervalDivide(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) { return UnlessZero({a[0], a[1]}, QuotientOf(a[0], a[1])); });
}

StatusOr<Sql> IntervalMultiply(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const IntervalParts parts = PartsOf(a[0]);
    return InRange(
        FromParts({Cat(parts.months, " * ", a[1]), Cat(parts.days, " * ", a[1]), Cat(parts.micros, " * ", a[1])}));
  });
}
StatusOr<Sql> MultiplyInterval(const FunctionCall& call, const Texts& args) {
  return IntervalMultiply(call, {args[1], args[0]});
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"datetime_diff", DatetimeDiff},
    {"time_diff", TimeDiff},
    {"time_bucket", TimeBucket},
    {"justify", Justify},
    {"make_interval", MakeInterval},
    {"interval_divide", IntervalDivide},
    {"interval_multiply", IntervalMultiply},
    {"multiply_interval", MultiplyInterval},
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

Sql IntervalQuotient(const Sql& interval, const Sql& divisor) { return QuotientOf(interval, divisor); }

Sql SumOfIntervals(absl::FunctionRef<Sql(const Sql&)> sum, const Sql& interval) {
  const IntervalParts parts = PartsOf(interval);
  return FromParts({sum(parts.months), sum(parts.days), sum(parts.micros)});
}

DuckDbFunctionList DuckDbTimeArithmetic() { return kEntries; }

}  // namespace logquery::emit
