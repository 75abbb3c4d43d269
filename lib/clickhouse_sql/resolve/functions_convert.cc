// Conversions of texts and numbers: to…, -OrZero, -OrNull, -OrDefault, CAST.
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

enum class Otherwise { kError, kZero, kNull, kDefault };

// The attribute of a literal key is converted from its stored number, without its text.
ScalarPtr StoredInt(Ex& value, const Range& range) {
  if (value.stored == nullptr || !value.stored->type.is(TypeKind::kInt64)) return nullptr;
  ScalarPtr stored = std::move(value.stored);
  if (range.low == INT64_MIN && range.high == INT64_MAX) return stored;
  ScalarPtr within = Call("$between", Type::Bool(), Same(stored), Number(range.low), Number(range.high));
  return If(std::move(within), std::move(stored), NullOf(Type::Int64()));
}

// The number, or 0 where the text has none; of a text that is NULL it is NULL.
ScalarPtr ZeroOrNull(ScalarPtr number, ScalarPtr text, ScalarPtr zero) {
  ScalarPtr null = NullOf(number->type);
  return If(IsNull(std::move(text)), std::move(null), IfNull(std::move(number), std::move(zero)));
}

template <int kBits, bool kSigned, Otherwise kOtherwise>
absl::StatusOr<Ex> ToIntOr(CallArgs& call) {
  const ChType type = Int(kBits, kSigned);
  Ex& value = call[0];
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), type.Nullable()};
  if (!value.type.Is(ChKind::kString))
    return call.resolver.Error(call.SpanOf(0), StrCat(call.call.text, " wants a text, not ", value.type.ToString()));
  if (std::optional<Ex> wide = WideIntOfText(value, type)) {
    wide->type = wide->type.Nullable(kOtherwise == Otherwise::kNull);
    return *std::move(wide);
  }
  const bool nullable = value.type.nullable;
  const Range range = RangeOf(type);
  // NULL stays NULL; only -OrDefault has a value for it.
  ScalarPtr text = nullable ? Same(value.scalar) : nullptr;
  ScalarPtr number = StoredInt(value, range);
  if (number == nullptr)
    number = Call("$ch.int_or_null", Type::Int64(), std::move(value.scalar), Number(range.low), Number(range.high));
  if (kOtherwise == Otherwise::kNull) return Ex{std::move(number), type.Nullable()};
  ScalarPtr otherwise = Number(0);
  if (kOtherwise == Otherwise::kZero && nullable)
    return Ex{ZeroOrNull(std::move(number), std::move(text), std::move(otherwise)), type.Nullable()};
  if (kOtherwise == Otherwise::kDefault && call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(otherwise, call.resolver.ToInt(std::move(call[1]), call.SpanOf(1)));
  }
  return Ex{IfNull(std::move(number), std::move(otherwise)), type};
}

template <Otherwise kOtherwise>
absl::StatusOr<Ex> ToFloatOr(CallArgs& call) {
  Ex& value = call[0];
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Float64()), Float64().Nullable()};
  if (!value.type.Is(ChKind::kString))
    return call.resolver.Error(call.SpanOf(0), StrCat(call.call.text, " wants a text, not ", value.type.ToString()));
  const bool nullable = value.type.nullable;
  ScalarPtr text = nullable ? Same(value.scalar) : nullptr;
  ScalarPtr number;
  if (value.stored != nullptr &&
      (value.stored->type.is(TypeKind::kInt64) || value.stored->type.is(TypeKind::kFloat64))) {
    number = clickhouse_sql::CastTo(std::move(value.stored), Type::Float64());
  } else {
    number = Call("$ch.float_or_null", Type::Float64(), std::move(value.scalar));
  }
  if (kOtherwise == Otherwise::kNull) return Ex{std::move(number), Float64().Nullable()};
  ScalarPtr otherwise = Floating(0);
  if (kOtherwise == Otherwise::kZero && nullable)
    return Ex{ZeroOrNull(std::move(number), std::move(text), std::move(otherwise)), Float64().Nullable()};
  if (kOtherwise == Otherwise::kDefault && call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(otherwise, call.resolver.ToFloat(std::move(call[1]), call.SpanOf(1)));
  }
  return Ex{IfNull(std::move(number), std::move(otherwise)), Float64()};
}

template <int kBits, bool kSigned>
absl::StatusOr<Ex> ToInteger(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), Int(kBits, kSigned), call.call.span);
}

absl::StatusOr<Ex> ToFloat64(CallArgs& call) {
  return call.resolver.CastValue(std::move(call[0]), Float64(), call.call.span);
}

// The plan has no floats of 32 bits, whose values differ.
absl::StatusOr<Ex> NoFloat32(CallArgs& call) {
  return call.resolver.Error(call.call.span, "Float32 is not supported; write toFloat64");
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
    if (std::optional<Ex> wide = WideIntOfText(value, *type)) return Ex{std::move(wide->scalar), wide->type.Nullable()};
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

template <int kBits, bool kSigned>
void AddInteger(FunctionMap& functions) {
  const std::string name = StrCat("to", kSigned ? "Int" : "UInt", kBits);
  functions[name] = {1, 1, ToInteger<kBits, kSigned>};
  functions[name + "OrZero"] = {1, 1, ToIntOr<kBits, kSigned, Otherwise::kZero>};
  functions[name + "OrNull"] = {1, 1, ToIntOr<kBits, kSigned, Otherwise::kNull>};
  functions[name + "OrDefault"] = {1, 2, ToIntOr<kBits, kSigned, Otherwise::kDefault>};
}

}  // namespace

void AddConversionFunctions(FunctionMap& functions) {
  AddInteger<8, true>(functions);
  AddInteger<16, true>(functions);
  AddInteger<32, true>(functions);
  AddInteger<64, true>(functions);
  AddInteger<8, false>(functions);
  AddInteger<16, false>(functions);
  AddInteger<32, false>(functions);
  AddInteger<64, false>(functions);
  functions["toFloat64"] = {1, 1, ToFloat64};
  functions["toFloat64OrZero"] = {1, 1, ToFloatOr<Otherwise::kZero>};
  functions["toFloat64OrNull"] = {1, 1, ToFloatOr<Otherwise::kNull>};
  functions["toFloat64OrDefault"] = {1, 2, ToFloatOr<Otherwise::kDefault>};
  for (const char* name : {"toFloat32", "toFloat32OrZero", "toFloat32OrNull", "toFloat32OrDefault"})
    functions[name] = {1, 2, NoFloat32};
  functions["toString"] = {1, 1, ToStringFunction};
  functions["toBool"] = {1, 1, ToBoolean};
  functions["toDecimal64"] = functions["toDecimal32"] = {2, 2, ToDecimal};
  functions["CAST"] = functions["_CAST"] = {2, 2, CastFunction};
  functions["accurateCastOrNull"] = {2, 2, CastOrNull};
}

}  // namespace logquery::clickhouse_sql
