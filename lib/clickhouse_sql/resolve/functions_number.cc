// Arithmetic, conversions and casts.
#include <algorithm>
#include <cmath>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

namespace {

// How texts of a type are read: by their range.
struct Range {
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;
};

Range RangeOf(const ChType& type) {
  if (type.bits == 64) return type.is_signed ? Range{} : Range{0, INT64_MAX};
  if (!type.is_signed) return {0, (int64_t{1} << type.bits) - 1};
  return {-(int64_t{1} << (type.bits - 1)), (int64_t{1} << (type.bits - 1)) - 1};
}

// The result of + - * of two integers.
ChType Wider(const ChType& a, const ChType& b, bool is_signed) {
  const int bits = std::max(a.Is(ChKind::kBool) ? 8 : a.bits, b.Is(ChKind::kBool) ? 8 : b.bits);
  return Int(bits >= 32 ? 64 : bits * 2, is_signed);
}

absl::StatusOr<Ex> AddTime(CallArgs& call, Ex time, Ex amount, bool negative) {
  const ChType type = time.type;
  const bool is_interval = amount.type.Is(ChKind::kInterval);
  const std::string unit = is_interval ? amount.type.zone : type.Is(ChKind::kDate) ? "Day" : "Second";
  ScalarPtr count;
  if (is_interval) {
    count = std::move(amount.scalar);
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(count, call.resolver.ToInt(std::move(amount), call.call.span));
  }
  if (negative) count = Negated(std::move(count));
  const bool nullable = type.nullable;
  const std::string zone = type.Zone();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr start, call.resolver.ToTime(std::move(time), call.call.span));
  ScalarPtr sum = Call("$ch.add_units", Type::Timestamp(), std::move(start), std::move(count), Text(unit), Text(zone));
  const bool finer =
      unit == "Second" || unit == "Minute" || unit == "Hour" || unit == "Millisecond" || unit == "Microsecond";
  if (type.Is(ChKind::kDate)) {
    if (finer) return Ex{std::move(sum), DateTime().Nullable(nullable)};
    return Ex{Call("DATE", Type::Date(), std::move(sum)), type};
  }
  if (type.Is(ChKind::kDateTime) && (unit == "Millisecond" || unit == "Microsecond"))
    return Ex{std::move(sum), DateTime64(unit == "Millisecond" ? 3 : 6, type.zone)};
  return Ex{std::move(sum), type};
}

enum class Op { kPlus, kMinus, kMultiply };

template <Op kOp>
absl::StatusOr<Ex> Arithmetic(CallArgs& call) {
  Ex a = call.resolver.Plain(std::move(call[0]));
  Ex b = call.resolver.Plain(std::move(call[1]));
  const Span span = call.call.span;
  if (a.type.Is(ChKind::kNothing) || b.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), NothingType()};
  const bool nullable = a.type.nullable || b.type.nullable;
  if (kOp != Op::kMultiply && a.type.IsTime() && (b.type.Is(ChKind::kInterval) || b.type.Is(ChKind::kInt)))
    return AddTime(call, std::move(a), std::move(b), kOp == Op::kMinus);
  if (kOp == Op::kPlus && b.type.IsTime() && (a.type.Is(ChKind::kInterval) || a.type.Is(ChKind::kInt)))
    return AddTime(call, std::move(b), std::move(a), false);
  if (kOp == Op::kMinus && a.type.IsTime() && b.type.IsTime()) {
    const bool dates = a.type.Is(ChKind::kDate) && b.type.Is(ChKind::kDate);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToTime(std::move(a), span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToTime(std::move(b), span));
    ScalarPtr difference =
        Call("$ch.date_diff", Type::Int64(), Text(dates ? "day" : "second"), std::move(y), std::move(x), Text("UTC"));
    return Ex{std::move(difference), Int(32, true).Nullable(nullable)};
  }
  if (!a.type.IsNumber() || !b.type.IsNumber()) {
    const bool text = a.type.Is(ChKind::kString) || b.type.Is(ChKind::kString);
    return call.resolver.Error(span, StrCat("can't compute with ", a.type.ToString(), " and ", b.type.ToString(),
                                            text ? "; convert the text by toFloat64OrZero" : ""));
  }
  constexpr const char* kNames[] = {"$add", "$subtract", "$multiply"};
  constexpr const char* kWrapping[] = {"$ch.add", "$ch.subtract", "$ch.multiply"};
  const auto at = static_cast<size_t>(kOp);
  if (a.type.Is(ChKind::kFloat) || b.type.Is(ChKind::kFloat)) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(a), span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToFloat(std::move(b), span));
    return Ex{Call(kNames[at], Type::Float64(), std::move(x), std::move(y)), Float64().Nullable(nullable)};
  }
  if (a.type.Is(ChKind::kDecimal) || b.type.Is(ChKind::kDecimal)) {
    LOGQUERY_ASSIGN_OR_RETURN(const ChType type, call.resolver.Common({&a.type, &b.type}, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex x, call.resolver.Convert(std::move(a), type, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex y, call.resolver.Convert(std::move(b), type, span));
    return Ex{Call(kNames[at], Type::Numeric(), std::move(x.scalar), std::move(y.scalar)), type.Nullable(nullable)};
  }
  const bool is_signed = a.type.is_signed || b.type.is_signed || kOp == Op::kMinus;
  const ChType type = Wider(a.type, b.type, is_signed);
  // Only the widest integers can wrap around: of 32-bit ones the result has 64.
  const bool narrow =
      std::max(a.type.Is(ChKind::kBool) ? 8 : a.type.bits, b.type.Is(ChKind::kBool) ? 8 : b.type.bits) < 64;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(a), span));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToInt(std::move(b), span));
  return Ex{Call(narrow ? kNames[at] : kWrapping[at], Type::Int64(), std::move(x), std::move(y)),
            type.Nullable(nullable)};
}

absl::StatusOr<Ex> Divide(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  return Ex{Call("IEEE_DIVIDE", Type::Float64(), std::move(a), std::move(b)), Float64().Nullable(nullable)};
}

template <bool kModulo, bool kOrZero>
absl::StatusOr<Ex> WholeDivision(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  Ex a = call.resolver.Plain(std::move(call[0]));
  Ex b = call.resolver.Plain(std::move(call[1]));
  ChType type = a.type.NotNull();
  if (kModulo) type = Int(a.type.is_signed ? std::min(64, b.type.bits * 2) : b.type.bits, a.type.is_signed);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(a), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToInt(std::move(b), call.SpanOf(1)));
  ScalarPtr safe = kOrZero ? Call("NULLIF", Type::Int64(), std::move(y), Number(0)) : std::move(y);
  ScalarPtr result = Call(kModulo ? "MOD" : "DIV", Type::Int64(), std::move(x), std::move(safe));
  if (kOrZero) result = IfNull(std::move(result), Number(0));
  return Ex{std::move(result), type.Nullable(nullable)};
}

absl::StatusOr<Ex> Negate(CallArgs& call) {
  Ex value = call.resolver.Plain(std::move(call[0]));
  const bool nullable = value.type.nullable;
  if (value.type.Is(ChKind::kFloat) || value.type.Is(ChKind::kDecimal)) {
    const Type plan = value.type.PlanType();
    return Ex{Call("$negate", plan, std::move(value.scalar)), value.type};
  }
  const int bits = value.type.bits;
  const bool is_signed = value.type.is_signed;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(value), call.SpanOf(0)));
  const ChType type = Int(is_signed ? bits : std::min(64, bits * 2), true).Nullable(nullable);
  return Ex{Call("$ch.subtract", Type::Int64(), Number(0), std::move(x)), type};
}

template <int kWhat>  // 0 round, 1 floor, 2 ceil, 3 trunc
absl::StatusOr<Ex> Round(CallArgs& call) {
  Ex value = call.resolver.Plain(std::move(call[0]));
  int64_t digits = 0;
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(digits, call.resolver.WantInt(call[1], call.SpanOf(1), "the number of digits"));
  }
  const ChType type = value.type;
  if (type.Is(ChKind::kInt)) {
    if (digits >= 0) return value;
    if (kWhat == 0) return Ex{Call("$ch.round_int", Type::Int64(), std::move(value.scalar), Number(digits)), type};
    return call.resolver.Error(call.call.span,
                               StrCat(call.call.text, " of an integer with negative digits is not supported"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(value), call.SpanOf(0)));
  const ChType made = Float64().Nullable(type.nullable);
  if (kWhat == 0) return Ex{Call("$ch.round", Type::Float64(), std::move(x), Number(digits)), made};
  constexpr const char* kNames[] = {"", "FLOOR", "CEIL", "TRUNC"};
  if (digits == 0) return Ex{Call(kNames[kWhat], Type::Float64(), std::move(x)), made};
  const double scale = std::pow(10.0, static_cast<double>(digits));
  ScalarPtr scaled = Call("$multiply", Type::Float64(), std::move(x), Floating(scale));
  return Ex{
      Call("IEEE_DIVIDE", Type::Float64(), Call(kNames[kWhat], Type::Float64(), std::move(scaled)), Floating(scale)),
      made};
}

template <const char* const& kName>
absl::StatusOr<Ex> OfFloat(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  return Ex{Call(kName, Type::Float64(), std::move(x)), Float64().Nullable(nullable)};
}

absl::StatusOr<Ex> Abs(CallArgs& call) {
  Ex value = call.resolver.Plain(std::move(call[0]));
  if (!value.type.IsNumber() || value.type.Is(ChKind::kBool))
    return call.resolver.Error(call.SpanOf(0), StrCat("a number is wanted here, not ", value.type.ToString()));
  ChType type = value.type;
  type.is_signed = false;
  const Type plan = value.scalar->type;
  return Ex{Call("ABS", plan, std::move(value.scalar)), type};
}

template <bool kInfinite>
absl::StatusOr<Ex> FloatTest(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  return Ex{Call(kInfinite ? "IS_INF" : "IS_NAN", Type::Bool(), std::move(x)), UInt8().Nullable(nullable), true};
}

ScalarPtr IsFinite(const ScalarPtr& x) {
  std::vector<ScalarPtr> odd;
  odd.push_back(Call("IS_NAN", Type::Bool(), Same(x)));
  odd.push_back(Call("IS_INF", Type::Bool(), Same(x)));
  return Not(Or(std::move(odd)));
}

absl::StatusOr<Ex> IsFiniteFunction(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(const ScalarPtr x, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  return Ex{IsFinite(x), UInt8().Nullable(nullable), true};
}

absl::StatusOr<Ex> IfNotFinite(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  ScalarPtr finite = IsFinite(x);
  return Ex{If(std::move(finite), std::move(x), std::move(y)), Float64().Nullable(nullable)};
}

template <bool kLeast>
absl::StatusOr<Ex> Extreme(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) {
    call[i] = call.resolver.Plain(std::move(call[i]));
    types.push_back(&call[i].type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, call.resolver.Common(types, call.call.span));
  std::vector<ScalarPtr> values;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[i]), type, call.SpanOf(i)));
    values.push_back(std::move(value.scalar));
  }
  return Ex{Call(kLeast ? "LEAST" : "GREATEST", type.PlanType(), std::move(values)), type};
}

enum class Otherwise { kError, kZero, kNull, kDefault };

// The attribute of a literal key is converted from its stored number, without its text.
ScalarPtr StoredInt(Ex& value, const Range& range) {
  if (value.stored == nullptr || !value.stored->type.is(TypeKind::kInt64)) return nullptr;
  ScalarPtr stored = std::move(value.stored);
  if (range.low == INT64_MIN && range.high == INT64_MAX) return stored;
  ScalarPtr within = Call("$between", Type::Bool(), Same(stored), Number(range.low), Number(range.high));
  return If(std::move(within), std::move(stored), NullOf(Type::Int64()));
}

template <int kBits, bool kSigned, Otherwise kOtherwise>
absl::StatusOr<Ex> ToIntOr(CallArgs& call) {
  const ChType type = Int(kBits, kSigned);
  Ex& value = call[0];
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), type.Nullable()};
  if (!value.type.Is(ChKind::kString))
    return call.resolver.Error(call.SpanOf(0), StrCat(call.call.text, " wants a text, not ", value.type.ToString()));
  const bool nullable = value.type.nullable;
  const Range range = RangeOf(type);
  ScalarPtr number = StoredInt(value, range);
  if (number == nullptr)
    number = Call("$ch.int_or_null", Type::Int64(), std::move(value.scalar), Number(range.low), Number(range.high));
  if (kOtherwise == Otherwise::kNull) return Ex{std::move(number), type.Nullable()};
  ScalarPtr otherwise = Number(0);
  if (kOtherwise == Otherwise::kDefault && call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(otherwise, call.resolver.ToInt(std::move(call[1]), call.SpanOf(1)));
  }
  return Ex{IfNull(std::move(number), std::move(otherwise)), type.Nullable(nullable)};
}

template <Otherwise kOtherwise>
absl::StatusOr<Ex> ToFloatOr(CallArgs& call) {
  Ex& value = call[0];
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Float64()), Float64().Nullable()};
  if (!value.type.Is(ChKind::kString))
    return call.resolver.Error(call.SpanOf(0), StrCat(call.call.text, " wants a text, not ", value.type.ToString()));
  const bool nullable = value.type.nullable;
  ScalarPtr number;
  if (value.stored != nullptr &&
      (value.stored->type.is(TypeKind::kInt64) || value.stored->type.is(TypeKind::kFloat64))) {
    number = clickhouse_sql::CastTo(std::move(value.stored), Type::Float64());
  } else {
    number = Call("$ch.float_or_null", Type::Float64(), std::move(value.scalar));
  }
  if (kOtherwise == Otherwise::kNull) return Ex{std::move(number), Float64().Nullable()};
  ScalarPtr otherwise = Floating(0);
  if (kOtherwise == Otherwise::kDefault && call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(otherwise, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  }
  return Ex{IfNull(std::move(number), std::move(otherwise)), Float64().Nullable(nullable)};
}

template <int kBits, bool kSigned>
absl::StatusOr<Ex> ToInteger(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), Int(kBits, kSigned), call.call.span);
}

absl::StatusOr<Ex> ToFloat64(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), Float64(), call.call.span);
}
absl::StatusOr<Ex> ToStringFunction(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), String(), call.call.span);
}
absl::StatusOr<Ex> ToBoolean(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), BoolType(), call.call.span);
}

absl::StatusOr<Ex> ToDecimal(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t scale, call.resolver.WantInt(call[1], call.SpanOf(1), "the scale"));
  if (scale < 0 || scale > 9) return call.resolver.Error(call.SpanOf(1), "a scale from 0 to 9 is supported");
  ChType type;
  type.kind = ChKind::kDecimal;
  type.precision = 18;
  type.scale = static_cast<int>(scale);
  return call.resolver.CastValue(std::move(call[0]), type, call.call.span);
}

absl::StatusOr<Ex> CastFunction(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name,
                            call.resolver.WantText(call[1], call.SpanOf(1), "the type of a cast"));
  absl::StatusOr<ChType> type = ParseType(name);
  if (!type.ok()) return call.resolver.Error(call.SpanOf(1), base::Message(type.status()));
  return call.resolver.CastValue(std::move(call[0]), *type, call.call.span);
}

// accurateCastOrNull(text, 'Int32')
absl::StatusOr<Ex> CastOrNull(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name,
                            call.resolver.WantText(call[1], call.SpanOf(1), "the type of a cast"));
  absl::StatusOr<ChType> type = ParseType(name);
  if (!type.ok()) return call.resolver.Error(call.SpanOf(1), base::Message(type.status()));
  Ex value = call.resolver.Plain(std::move(call[0]));
  const Range range = RangeOf(*type);
  if (type->Is(ChKind::kInt) && value.type.Is(ChKind::kString)) {
    return Ex{Call("$ch.int_or_null", Type::Int64(), std::move(value.scalar), Number(range.low), Number(range.high)),
              type->Nullable()};
  }
  if (type->Is(ChKind::kInt) && value.type.Is(ChKind::kInt)) {
    ScalarPtr within = Call("$between", Type::Bool(), Same(value.scalar), Number(range.low), Number(range.high));
    return Ex{If(std::move(within), std::move(value.scalar), NullOf(Type::Int64())), type->Nullable()};
  }
  if (type->Is(ChKind::kFloat) && value.type.Is(ChKind::kString))
    return Ex{Call("$ch.float_or_null", Type::Float64(), std::move(value.scalar)), Float64().Nullable()};
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, call.resolver.CastValue(std::move(value), *type, call.call.span));
  made.type = made.type.Nullable();
  return made;
}

template <const char* const& kName>
absl::StatusOr<Ex> Bits(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToInt(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToInt(std::move(call[1]), call.SpanOf(1)));
  return Ex{Call(kName, Type::Int64(), std::move(a), std::move(b)), Int(64, true).Nullable(nullable)};
}

absl::StatusOr<Ex> Pow(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  return Ex{Call("POW", Type::Float64(), std::move(a), std::move(b)), Float64().Nullable(nullable)};
}

constexpr const char* kSqrt = "SQRT";
constexpr const char* kExp = "EXP";
constexpr const char* kLn = "LN";
constexpr const char* kLog10 = "LOG10";
constexpr const char* kBitAnd = "$bit_and";
constexpr const char* kBitOr = "$bit_or";
constexpr const char* kBitXor = "$bit_xor";

template <int kBits, bool kSigned>
void AddInteger(FunctionMap& functions) {
  const std::string name = StrCat("to", kSigned ? "Int" : "UInt", kBits);
  functions[name] = {1, 1, ToInteger<kBits, kSigned>};
  functions[name + "OrZero"] = {1, 1, ToIntOr<kBits, kSigned, Otherwise::kZero>};
  functions[name + "OrNull"] = {1, 1, ToIntOr<kBits, kSigned, Otherwise::kNull>};
  functions[name + "OrDefault"] = {1, 2, ToIntOr<kBits, kSigned, Otherwise::kDefault>};
}

ScalarPtr Wrapped(ScalarPtr value, const ChType& from, const ChType& to) {
  const bool fits = from.bits < to.bits && (to.is_signed || !from.is_signed);
  if (fits || to.bits == 64 || (from.bits == to.bits && from.is_signed == to.is_signed)) return value;
  return Call("$ch.wrap", Type::Int64(), std::move(value), Number(to.is_signed ? -to.bits : to.bits));
}

absl::StatusOr<Ex> CastToInt(Resolver& resolver, Ex value, const ChType& made, Span span) {
  const ChType from = value.type;
  const ChType type = made.Nullable(from.nullable);
  if (from.Is(ChKind::kBool)) return Ex{clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64()), type};
  if (from.Is(ChKind::kInt)) return Ex{Wrapped(std::move(value.scalar), from, made), type};
  if (from.Is(ChKind::kFloat))
    return Ex{Wrapped(Call("$ch.truncate", Type::Int64(), std::move(value.scalar)), Int(64, true), made), type};
  if (from.Is(ChKind::kDecimal)) {
    ScalarPtr whole = Call("TRUNC", Type::Numeric(), std::move(value.scalar));
    return Ex{Wrapped(clickhouse_sql::CastTo(std::move(whole), Type::Int64()), Int(64, true), made), type};
  }
  if (from.Is(ChKind::kDate)) return Ex{Call("UNIX_DATE", Type::Int64(), std::move(value.scalar)), type};
  if (from.IsTime())
    return Ex{Wrapped(Call("UNIX_SECONDS", Type::Int64(), std::move(value.scalar)), Int(64, true), made), type};
  if (from.Is(ChKind::kString)) {
    if (const std::optional<std::string> text = LiteralText(value)) {
      const std::optional<int64_t> number = functions::ParseChInt(*text);
      if (!number) return resolver.Error(span, StrCat("can't read an integer in the text '", text->substr(0, 60), "'"));
    }
    return Ex{Wrapped(Call("$ch.int", Type::Int64(), std::move(value.scalar)), Int(64, true), made), type};
  }
  return resolver.Error(span, StrCat("can't convert ", from.ToString(), " to ", made.ToString()));
}

}  // namespace

// The text of toString.
absl::StatusOr<ScalarPtr> Resolver::ToText(Ex value, Span span) {
  value = Plain(std::move(value));
  switch (value.type.kind) {
    case ChKind::kString:
    case ChKind::kMap:
      return std::move(value.scalar);
    case ChKind::kFloat:
      return Call("$ch.float_text", Type::String(), std::move(value.scalar));
    case ChKind::kDateTime:
      return Call("$ch.time_text", Type::String(), std::move(value.scalar), Number(0), Text(value.type.Zone()));
    case ChKind::kDateTime64: {
      const int digits = value.type.precision;
      ScalarPtr text =
          Call("$ch.time_text", Type::String(), std::move(value.scalar), Number(digits), Text(value.type.Zone()));
      return text;
    }
    case ChKind::kArray:
    case ChKind::kTuple:
      return Call("TO_JSON_STRING", Type::String(), std::move(value.scalar));
    case ChKind::kInterval:
      return Error(span, "an interval has no text");
    default:
      return clickhouse_sql::CastTo(std::move(value.scalar), Type::String());
  }
}

absl::StatusOr<Ex> Resolver::CastValue(Ex value, const ChType& type, Span span) {
  value = Plain(std::move(value));
  const bool to_null = type.nullable;
  const ChType made = type.NotNull();
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(type.PlanType()), type.Nullable()};
  const bool nullable = value.type.nullable || to_null;
  const ChType result = made.Nullable(nullable);
  switch (made.kind) {
    case ChKind::kString: {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, ToText(std::move(value), span));
      return Ex{std::move(text), result};
    }
    case ChKind::kInt: {
      LOGQUERY_ASSIGN_OR_RETURN(Ex number, CastToInt(*this, std::move(value), made, span));
      number.type = result;
      return number;
    }
    case ChKind::kFloat:
      if (value.type.Is(ChKind::kString))
        return Ex{Call("$ch.float", Type::Float64(), std::move(value.scalar)), result};
      break;
    case ChKind::kBool:
      if (value.type.Is(ChKind::kString))
        return Ex{clickhouse_sql::CastTo(std::move(value.scalar), Type::Bool()), result};
      if (!value.type.Is(ChKind::kBool)) {
        LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(value), span));
        return Ex{std::move(condition), result};
      }
      return Ex{std::move(value.scalar), result};
    case ChKind::kDecimal:
      if (value.type.Is(ChKind::kString) || value.type.IsNumber()) {
        if (value.type.Is(ChKind::kBool)) value.scalar = clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64());
        ScalarPtr number = clickhouse_sql::CastTo(std::move(value.scalar), Type::Numeric());
        return Ex{Call("TRUNC", Type::Numeric(), std::move(number), Number(made.scale)), result};
      }
      break;
    case ChKind::kDate:
    case ChKind::kDateTime:
    case ChKind::kDateTime64: {
      ScalarPtr time;
      if (value.type.Is(ChKind::kInt)) {
        const bool days = made.Is(ChKind::kDate) && value.type.bits <= 16;
        if (days) return Ex{Call("DATE_FROM_UNIX_DATE", Type::Date(), std::move(value.scalar)), result};
        time = Call("TIMESTAMP_SECONDS", Type::Timestamp(), std::move(value.scalar));
      } else if (value.type.Is(ChKind::kFloat)) {
        ScalarPtr micros = Call("$ch.truncate", Type::Int64(),
                                Call("$multiply", Type::Float64(), std::move(value.scalar), Floating(1e6)));
        time = Call("TIMESTAMP_MICROS", Type::Timestamp(), std::move(micros));
      } else if (value.type.Is(ChKind::kString)) {
        if (const std::optional<std::string> text = LiteralText(value)) {
          LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, functions::ChZone(made.Zone()));
          const std::optional<int64_t> micros = functions::ParseChTime(*text, zone);
          if (!micros) return Error(span, StrCat("can't read a time in the text '", text->substr(0, 60), "'"));
          time = std::make_unique<rewrite::Constant>(Value::TimestampMicros(*micros));
        } else {
          time = Call("$ch.time", Type::Timestamp(), std::move(value.scalar), Text(made.Zone()));
        }
      } else {
        LOGQUERY_ASSIGN_OR_RETURN(time, ToTime(std::move(value), span));
      }
      if (made.Is(ChKind::kDate)) return Ex{Call("DATE", Type::Date(), std::move(time)), result};
      if (made.Is(ChKind::kDateTime))
        time = Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(time), Text("SECOND"));
      if (made.Is(ChKind::kDateTime64) && made.precision < 6) {
        int64_t step = 1;
        for (int i = made.precision; i < 6; ++i) step *= 10;
        if (made.precision == 0) {
          time = Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(time), Text("SECOND"));
        } else {
          time =
              Call("$ch.start_of", Type::Timestamp(), std::move(time), Text("microsecond"), Number(step), Text("UTC"));
        }
      }
      return Ex{std::move(time), result};
    }
    default:
      break;
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex converted, Convert(std::move(value), made, span));
  converted.type = result;
  return converted;
}

void AddNumberFunctions(FunctionMap& functions) {
  functions["plus"] = {2, 2, Arithmetic<Op::kPlus>};
  functions["minus"] = {2, 2, Arithmetic<Op::kMinus>};
  functions["multiply"] = {2, 2, Arithmetic<Op::kMultiply>};
  functions["divide"] = {2, 2, Divide};
  functions["intDiv"] = {2, 2, WholeDivision<false, false>};
  functions["intDivOrZero"] = {2, 2, WholeDivision<false, true>};
  functions["modulo"] = functions["mod"] = {2, 2, WholeDivision<true, false>};
  functions["moduloOrZero"] = {2, 2, WholeDivision<true, true>};
  functions["negate"] = {1, 1, Negate};
  functions["round"] = {1, 2, Round<0>};
  functions["floor"] = {1, 2, Round<1>};
  functions["ceil"] = functions["ceiling"] = {1, 2, Round<2>};
  functions["trunc"] = functions["truncate"] = {1, 2, Round<3>};
  functions["abs"] = {1, 1, Abs};
  functions["sqrt"] = {1, 1, OfFloat<kSqrt>};
  functions["exp"] = {1, 1, OfFloat<kExp>};
  functions["ln"] = functions["log"] = {1, 1, OfFloat<kLn>};
  functions["log10"] = {1, 1, OfFloat<kLog10>};
  functions["pow"] = functions["power"] = {2, 2, Pow};
  functions["isNaN"] = {1, 1, FloatTest<false>};
  functions["isInfinite"] = {1, 1, FloatTest<true>};
  functions["isFinite"] = {1, 1, IsFiniteFunction};
  functions["ifNotFinite"] = {2, 2, IfNotFinite};
  functions["least"] = {1, 100, Extreme<true>};
  functions["greatest"] = {1, 100, Extreme<false>};
  functions["bitAnd"] = {2, 2, Bits<kBitAnd>};
  functions["bitOr"] = {2, 2, Bits<kBitOr>};
  functions["bitXor"] = {2, 2, Bits<kBitXor>};
  AddInteger<8, true>(functions);
  AddInteger<16, true>(functions);
  AddInteger<32, true>(functions);
  AddInteger<64, true>(functions);
  AddInteger<8, false>(functions);
  AddInteger<16, false>(functions);
  AddInteger<32, false>(functions);
  AddInteger<64, false>(functions);
  for (const char* name : {"toFloat64", "toFloat32"}) {
    functions[name] = {1, 1, ToFloat64};
    functions[StrCat(name, "OrZero")] = {1, 1, ToFloatOr<Otherwise::kZero>};
    functions[StrCat(name, "OrNull")] = {1, 1, ToFloatOr<Otherwise::kNull>};
    functions[StrCat(name, "OrDefault")] = {1, 2, ToFloatOr<Otherwise::kDefault>};
  }
  functions["toString"] = {1, 1, ToStringFunction};
  functions["toBool"] = {1, 1, ToBoolean};
  functions["toDecimal64"] = functions["toDecimal32"] = {2, 2, ToDecimal};
  functions["CAST"] = functions["_CAST"] = {2, 2, CastFunction};
  functions["accurateCastOrNull"] = {2, 2, CastOrNull};
}

}  // namespace logquery::clickhouse_sql
