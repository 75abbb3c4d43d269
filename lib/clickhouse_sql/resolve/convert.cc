// Implicit conversions: to a common type, to a condition, a number or a time.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<ScalarPtr> Resolver::ToBool(Ex value, Span span) {
  if (value.condition || value.type.Is(ChKind::kBool)) return std::move(value.scalar);
  if (value.type.Is(ChKind::kNothing)) return ScalarPtr(NullOf(Type::Bool()));
  if (value.type.Is(ChKind::kInt)) {
    if (const Value* constant = ConstantOf(value)) return True(constant->int64_value() != 0);
    return Call("$not_equal", Type::Bool(), std::move(value.scalar), Number(0));
  }
  if (value.type.Is(ChKind::kFloat)) return Call("$not_equal", Type::Bool(), std::move(value.scalar), Floating(0));
  if (value.type.Is(ChKind::kWideInt)) return Call("$not_equal", Type::Bool(), std::move(value.scalar), WideNumber(0));
  return Error(span, StrCat("a condition is wanted here, not a value of type ", value.type.ToString()));
}

Ex Resolver::Plain(Ex value) {
  if (!value.condition) return value;
  const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(value.scalar.get());
  if (constant != nullptr) {
    value.scalar = constant->value.is_null() ? NullOf(Type::Int64()) : Number(constant->value.bool_value() ? 1 : 0);
  } else {
    value.scalar = clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64());
  }
  value.condition = false;
  return value;
}

absl::StatusOr<ChType> Resolver::Common(const std::vector<const ChType*>& types, Span span) {
  std::optional<ChType> common = NothingType().NotNull();
  for (const ChType* type : types) {
    const std::optional<ChType> next = CommonType(*common, *type);
    if (!next)
      return Error(span,
                   StrCat("the types ", common->ToString(), " and ", type->ToString(), " have no type in common"));
    common = next;
  }
  return *common;
}

// An implicit conversion to a common type.
absl::StatusOr<Ex> Resolver::Convert(Ex value, const ChType& type, Span span) {
  value = Plain(std::move(value));
  const bool nullable = value.type.nullable;
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(type.PlanType()), type.Nullable()};
  const Type plan = type.PlanType();
  const ChType made = type.NotNull().Nullable(nullable);
  if (value.type.kind == type.kind && !type.Is(ChKind::kArray) && !type.Is(ChKind::kTuple))
    return Ex{std::move(value.scalar), made};
  if (value.type.Is(ChKind::kBool) && type.Is(ChKind::kInt))
    return Ex{clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64()), made};
  const bool narrows = value.type.Is(ChKind::kWideInt) && type.Is(ChKind::kInt);
  if (value.type.IsNumberOrWide() && type.IsNumberOrWide() && !narrows) {
    ScalarPtr scalar = std::move(value.scalar);
    if (scalar->type.is(TypeKind::kBool)) scalar = clickhouse_sql::CastTo(std::move(scalar), Type::Int64());
    if (const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(scalar.get());
        constant != nullptr && !constant->value.is_null() && constant->type.is(TypeKind::kInt64) &&
        plan.is(TypeKind::kFloat64)) {
      return Ex{Floating(static_cast<double>(constant->value.int64_value())), made};
    }
    return Ex{clickhouse_sql::CastTo(std::move(scalar), plan), made};
  }
  if (value.type.Is(ChKind::kDate) && type.IsTime())
    return Ex{Call("TIMESTAMP", Type::Timestamp(), std::move(value.scalar)), made};
  if (value.type.IsTime() && type.IsTime()) return Ex{std::move(value.scalar), made};
  if (value.type.Is(ChKind::kArray) && type.Is(ChKind::kArray)) {
    if (value.scalar->type == plan) return Ex{std::move(value.scalar), type};
    if (value.type.parts[0].Is(ChKind::kNothing)) return Ex{DefaultOf(type), type};
    const PlanColumn element = NewColumn("x", value.type.parts[0].PlanType());
    LOGQUERY_ASSIGN_OR_RETURN(
        Ex body, Convert({std::make_unique<ColumnRef>(element), value.type.parts[0]}, type.parts[0], span));
    ScalarPtr lambda =
        std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{element}, std::move(body.scalar));
    return Ex{Call("ARRAY_TRANSFORM", plan, std::move(value.scalar), std::move(lambda)), type};
  }
  if (value.type.Is(ChKind::kTuple) && value.scalar->type == plan) return Ex{std::move(value.scalar), type};
  return Error(span, StrCat("can't convert ", value.type.ToString(), " to ", type.ToString(),
                            "; write a function such as toString"));
}

absl::StatusOr<std::string> Resolver::WantText(const Ex& value, Span span, std::string_view what) {
  std::optional<std::string> text = LiteralText(value);
  if (!text) return Error(span, StrCat(what, " must be a text in quotes"));
  return *std::move(text);
}

absl::StatusOr<int64_t> Resolver::WantInt(const Ex& value, Span span, std::string_view what) {
  const Value* constant = value.type.Is(ChKind::kInt) ? ConstantOf(value) : nullptr;
  if (constant == nullptr) return Error(span, StrCat(what, " must be a whole number"));
  return constant->int64_value();
}

absl::StatusOr<ScalarPtr> Resolver::ToFloat(Ex value, Span span) {
  if (!value.type.IsNumberOrWide() && !value.type.Is(ChKind::kNothing))
    return Error(span, StrCat("a number is wanted here, not ", value.type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, Convert(std::move(value), Float64(), span));
  return std::move(made.scalar);
}

absl::StatusOr<ScalarPtr> Resolver::ToInt(Ex value, Span span) {
  value = Plain(std::move(value));
  if (value.type.Is(ChKind::kBool)) return clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64());
  if (!value.type.Is(ChKind::kInt) && !value.type.Is(ChKind::kNothing))
    return Error(span, StrCat("an integer is wanted here, not ", value.type.ToString()));
  return std::move(value.scalar);
}

absl::StatusOr<ScalarPtr> Resolver::ToTime(Ex value, Span span) {
  if (const std::optional<std::string> text = LiteralText(value)) {
    const std::optional<int64_t> micros = functions::ParseChTime(*text, absl::UTCTimeZone());
    if (!micros)
      return Error(span,
                   StrCat("can't read a time in the text '", text->substr(0, 60), "'; write '2026-03-04 05:06:07'"));
    ScalarPtr time = std::make_unique<rewrite::Constant>(Value::TimestampMicros(*micros));
    time->span = span;
    return time;
  }
  if (!value.type.IsTime() && !value.type.Is(ChKind::kNothing))
    return Error(span, StrCat("a time is wanted here, not ", value.type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, Convert(std::move(value), DateTime64(6), span));
  return std::move(made.scalar);
}

}  // namespace logquery::clickhouse_sql
