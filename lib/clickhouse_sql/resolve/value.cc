// Builds scalars.
#include "lib/clickhouse_sql/resolve/value.h"

#include <charconv>

#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

Ex Copy(const Ex& value) {
  const auto copied = [](const ScalarPtr& scalar) { return scalar == nullptr ? nullptr : rewrite::Clone(*scalar); };
  return {rewrite::Clone(*value.scalar), value.type, value.condition, copied(value.stored), copied(value.of_default)};
}

// The type is passed by value, because it may be that of one of the arguments.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
ScalarPtr Call(std::string_view function, Type type, std::vector<ScalarPtr> arguments) {
  return rewrite::MakeTypedCall(function, type, std::move(arguments));
}

ScalarPtr Text(std::string text) { return std::make_unique<rewrite::Constant>(Value::String(std::move(text))); }
ScalarPtr Number(int64_t number) { return std::make_unique<rewrite::Constant>(Value::Int64(number)); }
ScalarPtr Floating(double number) { return std::make_unique<rewrite::Constant>(Value::Float64(number)); }
ScalarPtr WideNumber(uint64_t number) {
  return std::make_unique<rewrite::Constant>(Value::Numeric(base::StrCat(number)));
}
ScalarPtr True(bool value) { return std::make_unique<rewrite::Constant>(Value::Bool(value)); }
ScalarPtr NullOf(const Type& type) { return std::make_unique<rewrite::Constant>(Value::Null(type)); }

ScalarPtr CastTo(ScalarPtr scalar, const Type& type) {
  if (scalar->type == type) return scalar;
  const sql::Span span = scalar->span;
  ScalarPtr cast = std::make_unique<rewrite::Cast>(std::move(scalar), type);
  cast->span = span;
  return cast;
}

ScalarPtr If(ScalarPtr condition, ScalarPtr yes, ScalarPtr no) {
  const Type type = yes->type;
  return Call("IF", type, std::move(condition), std::move(yes), std::move(no));
}

ScalarPtr IfNull(ScalarPtr value, ScalarPtr otherwise) {
  const Type type = value->type;
  return Call("IFNULL", type, std::move(value), std::move(otherwise));
}

ScalarPtr IsNull(ScalarPtr value) { return Call("$is_null", Type::Bool(), std::move(value)); }
ScalarPtr Not(ScalarPtr value) { return Call("$not", Type::Bool(), std::move(value)); }
ScalarPtr And(std::vector<ScalarPtr> conditions) { return rewrite::MakeAnd(std::move(conditions)); }
ScalarPtr Or(std::vector<ScalarPtr> conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  return Call("$or", Type::Bool(), std::move(conditions));
}
ScalarPtr Same(const ScalarPtr& scalar) { return rewrite::Clone(*scalar); }

ScalarPtr Negated(ScalarPtr number) {
  const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(number.get());
  const bool simple = constant != nullptr && !constant->value.is_null() && constant->value.int64_value() != INT64_MIN;
  if (simple) return Number(-constant->value.int64_value());
  return Call("$negate", Type::Int64(), std::move(number));
}

ScalarPtr AverageOf(ScalarPtr sum, ScalarPtr count) {
  return Call("IEEE_DIVIDE", Type::Float64(), CastTo(std::move(sum), Type::Float64()),
              CastTo(std::move(count), Type::Float64()));
}

// Keeps the bits that the type has, as a conversion of integers does.
ScalarPtr WrapTo(ScalarPtr value, const ChType& type) {
  if (type.bits >= 64) return value;
  return Call("$ch.wrap", Type::Int64(), std::move(value), Number(type.is_signed ? -type.bits : type.bits));
}

// The number, or an error that says `message` where it is below 0.
ScalarPtr NotNegative(ScalarPtr value, const std::string& message) {
  if (const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(value.get());
      constant != nullptr && !constant->value.is_null() && constant->value.int64_value() >= 0)
    return value;
  ScalarPtr negative = Call("$less", Type::Bool(), Same(value), Number(0));
  return If(std::move(negative), Call("ERROR", Type::Int64(), Text(message)), std::move(value));
}

const Value* ConstantOf(const Ex& value) {
  const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(value.scalar.get());
  return constant == nullptr || constant->value.is_null() ? nullptr : &constant->value;
}

bool IsFixed(const Ex& value) {
  bool fixed = true;
  rewrite::VisitScalars(
      *value.scalar, [&](const rewrite::Scalar& part) { fixed = fixed && part.kind != rewrite::ScalarKind::kColumn; });
  return fixed;
}

std::optional<std::string> LiteralText(const Ex& value) {
  const Value* constant = value.type.Is(ChKind::kString) ? ConstantOf(value) : nullptr;
  if (constant == nullptr) return std::nullopt;
  return constant->string_value();
}

std::optional<uint64_t> ConstantBits(const Ex& value) {
  const Value* constant = ConstantOf(value);
  if (constant == nullptr) return std::nullopt;
  if (value.type.Is(ChKind::kInt)) return static_cast<uint64_t>(constant->int64_value());
  if (!value.type.Is(ChKind::kWideInt) && !value.type.Is(ChKind::kString)) return std::nullopt;
  const std::string& digits = constant->string_value();
  uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return bits;
}

std::optional<Ex> WideIntOfText(const Ex& value, const ChType& type) {
  const bool applies = type.bits == 64 && !type.is_signed && value.type.Is(ChKind::kString);
  const std::optional<uint64_t> bits = applies ? ConstantBits(value) : std::nullopt;
  if (!bits || *bits <= INT64_MAX) return std::nullopt;
  return Ex{WideNumber(*bits), WideInt()};
}

ScalarPtr DefaultOf(const ChType& type) {
  const Type plan = type.PlanType();
  if (type.nullable) return NullOf(plan);
  const auto constant = [](Value value) { return std::make_unique<rewrite::Constant>(std::move(value)); };
  switch (type.kind) {
    case ChKind::kBool:
      return True(false);
    case ChKind::kNothing:
    case ChKind::kInt:
    case ChKind::kInterval:
      return Number(0);
    case ChKind::kFloat:
      return Floating(0);
    case ChKind::kString:
      return Text("");
    case ChKind::kMap:
      return Text("{}");
    case ChKind::kDate:
      return constant(Value::Date(0));
    case ChKind::kDateTime:
    case ChKind::kDateTime64:
      return constant(Value::TimestampMicros(0));
    case ChKind::kDecimal:
    case ChKind::kWideInt:
      return constant(Value::Numeric("0"));
    case ChKind::kArray:
      return std::make_unique<rewrite::ArrayMake>(plan, std::vector<ScalarPtr>());
    case ChKind::kTuple: {
      std::vector<ScalarPtr> fields;
      for (const ChType& part : type.parts) fields.push_back(DefaultOf(part));
      return std::make_unique<rewrite::StructMake>(plan, std::move(fields));
    }
  }
  return NullOf(plan);
}

}  // namespace logquery::clickhouse_sql
