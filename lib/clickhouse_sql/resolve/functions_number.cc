// Arithmetic and rounding.
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

int BitsOf(const ChType& type) { return type.Is(ChKind::kBool) ? 8 : type.bits; }

// The result of + - * of two integers.
ChType Wider(const ChType& a, const ChType& b, bool is_signed) {
  const int bits = std::max(BitsOf(a), BitsOf(b));
  return Int(std::max(bits, std::min(bits * 2, 64)), is_signed);
}

// The difference of two times: seconds, or days of dates; with fractions where one of them has a fraction.
absl::StatusOr<Ex> TimeDifference(CallArgs& call, Ex a, Ex b) {
  const Span span = call.call.span;
  const bool nullable = a.type.nullable || b.type.nullable;
  const bool dates = a.type.Is(ChKind::kDate) && b.type.Is(ChKind::kDate);
  if (!dates && (a.type.Is(ChKind::kDate) || b.type.Is(ChKind::kDate)))
    return call.resolver.Error(span, StrCat("can't subtract ", b.type.ToString(), " from ", a.type.ToString(),
                                            "; write dateDiff, or convert the date by toDateTime"));
  const bool fine = a.type.Is(ChKind::kDateTime64) || b.type.Is(ChKind::kDateTime64);
  const int scale = std::max(a.type.Is(ChKind::kDateTime64) ? a.type.precision : 0,
                             b.type.Is(ChKind::kDateTime64) ? b.type.precision : 0);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToTime(std::move(a), span));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToTime(std::move(b), span));
  const char* const unit = dates ? "day" : fine ? "microsecond" : "second";
  ScalarPtr count = Call("$ch.date_diff", Type::Int64(), Text(unit), std::move(y), std::move(x), Text("UTC"));
  if (!fine) return Ex{std::move(count), Int(32, true).Nullable(nullable)};
  ChType type;
  type.kind = ChKind::kDecimal;
  type.precision = 18;
  type.scale = scale;
  ScalarPtr seconds = Call("$multiply", Type::Numeric(), clickhouse_sql::CastTo(std::move(count), Type::Numeric()),
                           ScalarPtr(std::make_unique<rewrite::Constant>(Value::Numeric("0.000001"))));
  return Ex{std::move(seconds), type.Nullable(nullable)};
}

}  // namespace

ChType SumType(const ChType& time, std::string_view unit) {
  const int digits = unit == "Millisecond" ? 3 : unit == "Microsecond" ? 6 : 0;
  if (digits == 0 || time.Is(ChKind::kDate)) return time;
  const int precision = time.Is(ChKind::kDateTime64) ? std::max(time.precision, digits) : digits;
  return DateTime64(precision, time.zone).Nullable(time.nullable);
}

namespace {

absl::StatusOr<Ex> AddTime(CallArgs& call, Ex time, Ex amount, bool negative) {
  const ChType type = time.type.Nullable(amount.type.nullable);
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
  return Ex{std::move(sum), SumType(type, unit)};
}

enum class Op { kPlus, kMinus, kMultiply };

template <Op kOp>
absl::StatusOr<Ex> Compute(CallArgs& call) {
  Ex a = call.resolver.Plain(std::move(call[0]));
  Ex b = call.resolver.Plain(std::move(call[1]));
  const Span span = call.call.span;
  if (a.type.Is(ChKind::kNothing) || b.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), NothingType()};
  const bool nullable = a.type.nullable || b.type.nullable;
  if (kOp != Op::kMultiply && a.type.IsTime() && (b.type.Is(ChKind::kInterval) || b.type.Is(ChKind::kInt)))
    return AddTime(call, std::move(a), std::move(b), kOp == Op::kMinus);
  if (kOp == Op::kPlus && b.type.IsTime() && (a.type.Is(ChKind::kInterval) || a.type.Is(ChKind::kInt)))
    return AddTime(call, std::move(b), std::move(a), false);
  if (kOp == Op::kMinus && a.type.IsTime() && b.type.IsTime()) return TimeDifference(call, std::move(a), std::move(b));
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
  // Only integers of 64 bits can wrap around: of 32-bit ones the result has 64. An unsigned or wider result beyond
  // INT64 is an error, because INT64 can't hold it.
  const bool narrow = std::max(BitsOf(a.type), BitsOf(b.type)) != 64 || !is_signed;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(a), span));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToInt(std::move(b), span));
  return Ex{Call(narrow ? kNames[at] : kWrapping[at], Type::Int64(), std::move(x), std::move(y)),
            type.Nullable(nullable)};
}

// A DateTime is counted in 32 bits without a sign, and a Date in 16: below 1970 are their latest times.
ScalarPtr WrappedTime(ScalarPtr time, const ChType& type) {
  if (type.Is(ChKind::kDate)) {
    ScalarPtr days = Call("UNIX_DATE", Type::Int64(), std::move(time));
    return Call("DATE_FROM_UNIX_DATE", Type::Date(), WrapTo(std::move(days), Int(16, false)));
  }
  if (!type.Is(ChKind::kDateTime)) return time;
  ScalarPtr seconds = Call("UNIX_SECONDS", Type::Int64(), std::move(time));
  return Call("TIMESTAMP_SECONDS", Type::Timestamp(), WrapTo(std::move(seconds), Int(32, false)));
}

// Tells whether one operand is fixed, and the other one, at `other`, is neither fixed nor ever NULL. ClickHouse computes with the
// fixed one after MIN and MAX.
struct FixedOperand {
  bool is_one = false;
  size_t other = 0;
};

FixedOperand FixedOperandOf(const CallArgs& call) {
  const bool fixed[] = {IsFixed(call.args[0]), IsFixed(call.args[1])};
  const size_t other = fixed[0] ? 1 : 0;
  return {fixed[0] != fixed[1] && !call.args[other].type.nullable, other};
}

// The operation where one operand is fixed, with the other one's default in its place.
template <absl::StatusOr<Ex> (*kCompute)(CallArgs&)>
absl::StatusOr<Ex> WithDefault(CallArgs& call, size_t other) {
  ScalarPtr of_default = std::move(call[other].of_default);
  if (of_default == nullptr) of_default = DefaultOf(call[other].type);
  CallArgs defaults{call.resolver, call.scope, call.call, {}};
  defaults.args.push_back(Ex{std::move(of_default), call[other].type});
  defaults.args.push_back(Copy(call[1 - other]));
  if (other == 1) std::swap(defaults.args[0], defaults.args[1]);
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, kCompute(call));
  LOGQUERY_ASSIGN_OR_RETURN(Ex by_default, kCompute(defaults));
  made.of_default = WrappedTime(std::move(by_default.scalar), by_default.type);
  return made;
}

template <Op kOp>
absl::StatusOr<Ex> Arithmetic(CallArgs& call) {
  const FixedOperand fixed = FixedOperandOf(call);
  return fixed.is_one ? WithDefault<Compute<kOp>>(call, fixed.other) : Compute<kOp>(call);
}

absl::StatusOr<Ex> Quotient(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  return Ex{Call("IEEE_DIVIDE", Type::Float64(), std::move(a), std::move(b)), Float64().Nullable(nullable)};
}

absl::StatusOr<Ex> Divide(CallArgs& call) {
  const FixedOperand fixed = FixedOperandOf(call);
  return fixed.is_one && fixed.other == 0 ? WithDefault<Quotient>(call, 0) : Quotient(call);
}

// The bits with which the rest of two integers, of which one has a sign, is computed without one; 0: with a sign. As in
// C++, what is narrower than 32 bits is widened to 32 with a sign, and of equal widths the unsigned one wins.
int UnsignedBits(const ChType& a, const ChType& b) {
  const ChType& without = a.is_signed ? b : a;
  const ChType& with = a.is_signed ? a : b;
  const int bits = BitsOf(without);
  return bits >= 32 && bits >= BitsOf(with) ? bits : 0;
}

template <bool kModulo, bool kOrZero>
absl::StatusOr<Ex> WholeDivision(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  Ex a = call.resolver.Plain(std::move(call[0]));
  Ex b = call.resolver.Plain(std::move(call[1]));
  if (a.type.Is(ChKind::kFloat) || b.type.Is(ChKind::kFloat))
    return call.resolver.Error(call.call.span,
                               StrCat(call.call.text, " of floats is not supported; convert them by toInt64"));
  const int bits_a = BitsOf(a.type), bits_b = BitsOf(b.type);
  const bool any_signed = a.type.is_signed || b.type.is_signed;
  const ChType type =
      kModulo ? Int(a.type.is_signed ? std::max(bits_b, std::min(64, bits_b * 2)) : bits_b, a.type.is_signed)
              : Int(bits_a, any_signed);
  // In a division operands of different signs are both read as signed ones of their widths, a narrower divisor as one of the
  // dividend's.
  const bool mixed = a.type.is_signed != b.type.is_signed;
  const bool wrap_a = !kModulo && mixed && !a.type.is_signed,
             wrap_b = !kModulo && mixed && !b.type.is_signed && bits_a <= bits_b;
  const int unsigned_bits = kModulo && mixed ? UnsignedBits(a.type, b.type) : 0;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(a), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, call.resolver.ToInt(std::move(b), call.SpanOf(1)));
  if (wrap_a) x = WrapTo(std::move(x), Int(bits_a, true));
  if (wrap_b) y = WrapTo(std::move(y), Int(bits_b, true));
  ScalarPtr safe = kOrZero ? Call("NULLIF", Type::Int64(), std::move(y), Number(0)) : std::move(y);
  ScalarPtr result =
      unsigned_bits > 0
          ? WrapTo(Call("$ch.unsigned_mod", Type::Int64(), std::move(x), std::move(safe), Number(unsigned_bits)), type)
          : Call(kModulo ? "MOD" : "DIV", Type::Int64(), std::move(x), std::move(safe));
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
  const int bits = BitsOf(value.type);
  const bool is_signed = value.type.is_signed;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToInt(std::move(value), call.SpanOf(0)));
  const ChType type = Int(is_signed ? bits : std::max(bits, std::min(64, bits * 2)), true).Nullable(nullable);
  ScalarPtr negated = Call(bits > 64 ? "$subtract" : "$ch.subtract", Type::Int64(), Number(0), std::move(x));
  // The least value of a type with a sign is its own negation.
  return Ex{is_signed ? WrapTo(std::move(negated), type) : std::move(negated), type};
}

template <int kWhat>  // 0 round, 1 floor, 2 ceil, 3 trunc
absl::StatusOr<Ex> Round(CallArgs& call) {
  constexpr const char* kNames[] = {"ROUND", "FLOOR", "CEIL", "TRUNC"};
  Ex value = call.resolver.Plain(std::move(call[0]));
  int64_t digits = 0;
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(digits, call.resolver.WantInt(call[1], call.SpanOf(1), "the number of digits"));
  }
  const ChType type = value.type;
  if (type.Is(ChKind::kInt)) {
    if (digits >= 0) return value;
    ScalarPtr rounded = Call("$ch.round_int", Type::Int64(), std::move(value.scalar), Number(digits),
                             Text(kNames[kWhat]), Number(type.is_signed ? -type.bits : type.bits));
    return Ex{std::move(rounded), type};
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, call.resolver.ToFloat(std::move(value), call.SpanOf(0)));
  const ChType made = Float64().Nullable(type.nullable);
  if (kWhat == 0) return Ex{Call("$ch.round", Type::Float64(), std::move(x), Number(digits)), made};
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

template <const char* const& kName>
absl::StatusOr<Ex> Bits(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  const ChType type =
      Int(std::max(BitsOf(call[0].type), BitsOf(call[1].type)), call[0].type.is_signed || call[1].type.is_signed);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToInt(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToInt(std::move(call[1]), call.SpanOf(1)));
  return Ex{WrapTo(Call(kName, Type::Int64(), std::move(a), std::move(b)), type), type.Nullable(nullable)};
}

absl::StatusOr<Ex> Pow(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, call.resolver.ToFloat(std::move(call[0]), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  return Ex{Call("$ch.pow", Type::Float64(), std::move(a), std::move(b)), Float64().Nullable(nullable)};
}

constexpr const char* kSqrt = "$ch.sqrt";
constexpr const char* kExp = "$ch.exp";
constexpr const char* kLn = "$ch.ln";
constexpr const char* kLog10 = "$ch.log10";
constexpr const char* kBitAnd = "$bit_and";
constexpr const char* kBitOr = "$bit_or";
constexpr const char* kBitXor = "$bit_xor";

}  // namespace

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
  functions["bitAnd"] = {2, 2, Bits<kBitAnd>};
  functions["bitOr"] = {2, 2, Bits<kBitOr>};
  functions["bitXor"] = {2, 2, Bits<kBitXor>};
}

}  // namespace logquery::clickhouse_sql
