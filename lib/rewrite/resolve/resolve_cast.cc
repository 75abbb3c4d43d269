// Resolves CAST, and the parameters of its type: STRING(10), NUMERIC(5, 2).
#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/functions/cast_format.h"
#include "lib/model/interval_text.h"
#include "lib/model/time_text.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/resolve/cast_allowed.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

// Digits before and behind the point.
struct Digits {
  int64_t whole;
  int64_t scale;
};
constexpr Digits kNumericDigits = {29, 9};
constexpr Digits kBigNumericDigits = {38, 38};

}  // namespace

absl::Status Resolver::CheckTypeParameters(const sql::TypeName& type) {
  for (const sql::TypeName& part : type.parts) {
    if (part.parameters.empty()) {
      LOGQUERY_RETURN_IF_ERROR(CheckTypeParameters(part));
      continue;
    }
    return Unsupported(part.span, "parameters of a type inside of an ARRAY or STRUCT are not supported");
  }
  const std::vector<int64_t>& given = type.parameters;
  if (given.empty()) return absl::OkStatus();
  const std::string name = type.type.ToString();
  if (type.type.is(TypeKind::kString) || type.type.is(TypeKind::kBytes)) {
    if (given.size() == 1 && given[0] >= 1) return absl::OkStatus();
    return Error(type.span, StrCat(name, " takes one parameter, a length of at least 1"));
  }
  if (!type.type.is(TypeKind::kNumeric) && !type.type.is(TypeKind::kBigNumeric)) {
    return Error(type.span, StrCat("the type ", name, " takes no parameters"));
  }
  const Digits most = type.type.is(TypeKind::kNumeric) ? kNumericDigits : kBigNumericDigits;
  const int64_t scale = given.size() > 1 ? given[1] : 0;
  if (given.size() > 2 || scale < 0 || scale > most.scale || given[0] < std::max<int64_t>(1, scale) ||
      given[0] > most.whole + scale) {
    return Error(type.span, StrCat(name, "(P, S) takes a scale S from 0 to ", most.scale,
                                   ", and a precision P from S to S + ", most.whole));
  }
  return absl::OkStatus();
}

// Text that is longer is an error; a number is rounded to its scale, and an error when it has more digits then.
absl::StatusOr<ScalarPtr> Resolver::ApplyTypeParameters(const sql::TypeName& type, const sql::CastExpr& cast,
                                                        ScalarPtr value) {
  const std::vector<int64_t>& given = type.parameters;
  std::vector<ScalarPtr> arguments;
  const bool is_number = type.type.is(TypeKind::kNumeric) || type.type.is(TypeKind::kBigNumeric);
  if (is_number) {
    const int64_t scale = given.size() > 1 ? given[1] : 0;
    LOGQUERY_ASSIGN_OR_RETURN(
        value, MakeCall("ROUND", std::move(value), MakeLiteral(Value::Int64(scale), type.span), cast.span));
    arguments.push_back(std::move(value));
    arguments.push_back(MakeLiteral(Value::Int64(given[0]), type.span));
    arguments.push_back(MakeLiteral(Value::Int64(scale), type.span));
  } else {
    arguments.push_back(std::move(value));
    arguments.push_back(MakeLiteral(Value::Int64(given[0]), type.span));
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      ScalarPtr limited, MakeCall(is_number ? "$limit_precision" : "$limit_length", std::move(arguments), cast.span));
  As<FunctionCall>(*limited).safe = cast.safe;
  return limited;
}

namespace {

// The digits of a number that is written out, "-1.5": as a decimal it is exactly these.
std::optional<std::string> DigitsOf(const sql::Expr& expr) {
  const auto* unary = sql::If<sql::Unary>(&expr);
  const bool negative = unary != nullptr && unary->op == sql::Unary::Op::kMinus;
  const auto* literal = sql::If<sql::Literal>(negative ? unary->operand.get() : &expr);
  if (literal == nullptr || literal->form != sql::Literal::Form::kFloat) return std::nullopt;
  return StrCat(std::string_view(negative ? "-" : ""), literal->text);
}

}  // namespace

namespace {

// Returns whether the type of a part, at any depth, has parameters: STRUCT<STRING(4)>.
bool PartsHaveParameters(const sql::TypeName& type) {
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [](const sql::TypeName& part) { return !part.parameters.empty() || PartsHaveParameters(part); });
}

// Gives each NULL and [] that is written in the operand, in constructors as well, the type that the cast asks of it.
// They have no type of their own, so any cast of them is allowed.
void TakeTypes(Scalar& operand, const Type& to) {
  if (CastAllowed(operand.type, to)) return;
  if (IsUntypedNull(operand)) {
    As<Constant>(operand).value = Value::Null(to);
    operand.type = to;
    return;
  }
  if (ArrayMake* made = If<ArrayMake>(&operand); made != nullptr && to.is_array() && !to.is_record()) {
    for (ScalarPtr& element : made->elements) TakeTypes(*element, to.element());
    const bool agree = std::all_of(made->elements.begin(), made->elements.end(),
                                   [&](const ScalarPtr& element) { return element->type == made->elements[0]->type; });
    if (made->elements.empty()) made->type = to;
    if (!made->elements.empty() && agree) made->type = Type::Array(made->elements[0]->type);
    return;
  }
  StructMake* made = If<StructMake>(&operand);
  if (made == nullptr || !to.is_struct() || made->fields.size() != to.fields().size()) return;
  std::vector<Field> fields = made->type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    TakeTypes(*made->fields[i], to.fields()[i].type);
    fields[i].type = made->fields[i]->type;
  }
  made->type = Type::Struct(std::move(fields));
}

}  // namespace

// The format's zone, or the query's.
absl::StatusOr<ScalarPtr> Resolver::ResolveCastZone(const sql::CastExpr& cast, const ExprContext& context) {
  if (cast.time_zone == nullptr) return MakeLiteral(Value::String(options_.time_zone), cast.span);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveExpr(*cast.time_zone, context));
  return CoerceAt(std::move(zone), Type::String(), "AT TIME ZONE");
}

// Returns the DATETIME that a clock in the zone shows.
absl::StatusOr<ScalarPtr> Resolver::ClockIn(ScalarPtr timestamp, ScalarPtr zone, const sql::CastExpr& cast) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr clock, MakeCall("DATETIME", std::move(timestamp), std::move(zone), cast.span));
  As<FunctionCall>(*clock).safe = cast.safe;
  return clock;
}

absl::StatusOr<ScalarPtr> Resolver::FormatTime(const sql::CastExpr& cast, ScalarPtr value, ScalarPtr format,
                                               const ExprContext& context) {
  const int64_t parts = functions::FormatKindsOf(value->type);
  ScalarPtr clock, large, ahead = MakeLiteral(Value::Int64(0), cast.span);
  PlanColumn moment, named_zone;
  ScalarPtr large_zone;
  if (value->type.is(TypeKind::kTimestamp) && !IsSmall(*value)) {
    moment = NewColumn("moment", value->type);
    large = std::exchange(value, std::make_unique<ColumnRef>(moment));
  }
  if (value->type.is(TypeKind::kTimestamp)) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveCastZone(cast, context));
    if (!IsSmall(*zone)) {
      named_zone = NewColumn("zone", Type::String());
      large_zone = std::exchange(zone, std::make_unique<ColumnRef>(named_zone));
    }
    LOGQUERY_ASSIGN_OR_RETURN(clock, ClockIn(Clone(*value), std::move(zone), cast));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr utc,
                              ClockIn(std::move(value), MakeLiteral(Value::String("UTC"), cast.span), cast));
    std::vector<ScalarPtr> difference;
    difference.push_back(Clone(*clock));
    difference.push_back(std::move(utc));
    difference.push_back(MakeLiteral(Value::String("SECOND"), cast.span));
    LOGQUERY_ASSIGN_OR_RETURN(ahead, MakeCall("DATETIME_DIFF", std::move(difference), cast.span));
  } else if (value->type.is(TypeKind::kTime)) {
    LOGQUERY_ASSIGN_OR_RETURN(
        clock, MakeCall("DATETIME", MakeLiteral(Value::Date(0), cast.span), std::move(value), cast.span));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(clock, CoerceAt(std::move(value), Type::Datetime(), "CAST"));
  }
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(clock));
  arguments.push_back(std::move(format));
  arguments.push_back(std::move(ahead));
  arguments.push_back(MakeLiteral(Value::Int64(parts), cast.span));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, MakeCall("$format_time", std::move(arguments), cast.span));
  As<FunctionCall>(*text).safe = cast.safe;
  if (large_zone != nullptr) {
    text = EvaluateOnce(named_zone, std::move(large_zone), std::move(text), NewColumn("text", Type::String()));
  }
  if (large == nullptr) return text;
  return EvaluateOnce(moment, std::move(large), std::move(text), NewColumn("text", Type::String()));
}

// Into the text that a CAST without a format takes.
absl::StatusOr<ScalarPtr> Resolver::ReadTime(const sql::CastExpr& cast, ScalarPtr value, ScalarPtr format,
                                             const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveCastZone(cast, context));
  PlanColumn named;
  ScalarPtr large;
  if (!IsSmall(*zone)) {
    named = NewColumn("zone", Type::String());
    large = std::exchange(zone, std::make_unique<ColumnRef>(named));
  }
  ScalarPtr to_timestamp = Clone(*zone);
  // A year or month that the format lacks is the current one.
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr today, ClockIn(std::make_unique<ParameterRef>(kNowParameter, Type::Timestamp()),
                                                     std::move(zone), cast));
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(std::move(format));
  arguments.push_back(std::move(today));
  arguments.push_back(MakeLiteral(Value::Int64(functions::FormatKindsOf(cast.type.type)), cast.span));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, MakeCall("$read_time", std::move(arguments), cast.span));
  As<FunctionCall>(*text).safe = cast.safe;
  ScalarPtr read;
  if (cast.type.type.is(TypeKind::kTimestamp)) {
    LOGQUERY_ASSIGN_OR_RETURN(read, MakeCall("TIMESTAMP", std::move(text), std::move(to_timestamp), cast.span));
    As<FunctionCall>(*read).safe = cast.safe;
  } else {
    read = std::make_unique<Cast>(std::move(text), cast.type.type);
    read->span = cast.span;
  }
  if (large == nullptr) return read;
  return EvaluateOnce(named, std::move(large), std::move(read), NewColumn("read", cast.type.type));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCast(const sql::CastExpr& cast, const ExprContext& context) {
  return ResolveCastOf(*cast.operand, cast.type, cast, context);
}

// A constructor whose parts are cast one by one, as their types have parameters.
absl::StatusOr<ScalarPtr> Resolver::ResolveCastParts(const sql::Expr& expr, const sql::TypeName& type,
                                                     const sql::CastExpr& cast, const ExprContext& context) {
  const auto* made = sql::If<sql::StructExpr>(&expr);
  const auto* array = sql::If<sql::ArrayExpr>(&expr);
  std::vector<ScalarPtr> parts;
  if (made != nullptr && !made->type && type.type.is_struct() && made->items.size() == type.parts.size()) {
    for (size_t i = 0; i < type.parts.size(); ++i) {
      LOGQUERY_ASSIGN_OR_RETURN(parts.emplace_back(),
                                ResolveCastOf(*made->items[i].value, type.parts[i], cast, context));
    }
    return ScalarPtr(std::make_unique<StructMake>(type.type, std::move(parts)));
  }
  if (array == nullptr || array->type || !type.type.is_array()) {
    return Unsupported(type.span,
                       "parameters of a type inside of an ARRAY or STRUCT are supported only in casts of constructors");
  }
  for (const sql::ExprPtr& element : array->elements) {
    LOGQUERY_ASSIGN_OR_RETURN(parts.emplace_back(), ResolveCastOf(*element, type.parts[0], cast, context));
  }
  return ScalarPtr(std::make_unique<ArrayMake>(type.type, std::move(parts)));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCastOf(const sql::Expr& expr, const sql::TypeName& type,
                                                  const sql::CastExpr& cast, const ExprContext& context) {
  if (PartsHaveParameters(type) && !cast.safe) return ResolveCastParts(expr, type, cast, context);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(expr, context));
  const Type& to = type.type;
  if (to.is(TypeKind::kNumeric) || to.is(TypeKind::kBigNumeric)) {
    const std::optional<std::string> digits = DigitsOf(expr);
    absl::StatusOr<Value> exact = digits ? model::ParseDecimalText(to, *digits) : absl::NotFoundError("no number");
    if (exact.ok()) operand = MakeLiteral(*std::move(exact), expr.span);
  }
  if (!CastAllowed(operand->type, to)) TakeTypes(*operand, to);
  const Type& from = operand->type;
  if (!CastAllowed(from, to)) {
    return Error(cast.span, StrCat("can't cast ", from.ToString(), " to ", to.ToString()));
  }
  if (const Constant* text = If<Constant>(operand.get());
      text != nullptr && from.is(TypeKind::kString) && !text->value.is_null() && cast.format == nullptr) {
    const absl::Status fraction = CheckFraction(to, text->value.string_value());
    if (!fraction.ok() && cast.safe) return MakeLiteral(Value::Null(to), cast.span);
    if (!fraction.ok()) return At(expr.span, fraction);
  }
  LOGQUERY_RETURN_IF_ERROR(CheckTypeParameters(type));
  const bool of_time = from.is(TypeKind::kString) ? functions::FormatKindsOf(to) != 0
                                                  : to.is(TypeKind::kString) && functions::FormatKindsOf(from) != 0;
  if (cast.format != nullptr && of_time) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr format, ResolveExpr(*cast.format, context));
    LOGQUERY_ASSIGN_OR_RETURN(format, CoerceAt(std::move(format), Type::String(), "FORMAT"));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr made, to.is(TypeKind::kString)
                                                  ? FormatTime(cast, std::move(operand), std::move(format), context)
                                                  : ReadTime(cast, std::move(operand), std::move(format), context));
    return type.parameters.empty() ? std::move(made) : ApplyTypeParameters(type, cast, std::move(made));
  }
  auto made = std::make_unique<Cast>(std::move(operand), to);
  made->safe = cast.safe;
  if (cast.format != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(made->format, ResolveExpr(*cast.format, context));
    LOGQUERY_ASSIGN_OR_RETURN(made->format, CoerceAt(std::move(made->format), Type::String(), "FORMAT"));
  }
  if (cast.time_zone != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(made->time_zone, ResolveExpr(*cast.time_zone, context));
    LOGQUERY_ASSIGN_OR_RETURN(made->time_zone, CoerceAt(std::move(made->time_zone), Type::String(), "AT TIME ZONE"));
  } else {
    made->time_zone = DefaultZone(made->operand->type, to, options_.time_zone);
  }
  return type.parameters.empty() ? ScalarPtr(std::move(made)) : ApplyTypeParameters(type, cast, std::move(made));
}

}  // namespace logquery::rewrite
