// Expressions: conversions between types, comparisons, and calls.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"
#include "lib/sql/text_error.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<Ex> Resolver::ResolveExpr(const Expr& expr, SelectScope& scope) {
  if (!expr.alias.empty() && !scope.resolving.contains(expr.alias)) return ResolveAlias(expr.alias, expr, scope);
  return ResolveKind(expr, scope);
}

absl::StatusOr<Ex> Resolver::ResolveKind(const Expr& expr, SelectScope& scope) {
  switch (expr.kind) {
    case ExprKind::kNull:
      return Ex{NullOf(Type::Int64()), NothingType()};
    case ExprKind::kBool:
      return Ex{True(expr.is_true), BoolType()};
    case ExprKind::kNumber:
      return ResolveNumber(expr);
    case ExprKind::kString: {
      ScalarPtr text = Text(expr.text);
      text->span = expr.span;
      return Ex{std::move(text), String()};
    }
    case ExprKind::kName:
      return ResolveName(expr, scope);
    case ExprKind::kCall:
      return ResolveCall(expr, scope);
    case ExprKind::kLambda:
      return Error(expr.span, "a lambda may only be an argument of a function on arrays or maps");
    case ExprKind::kSubquery:
      return ScalarSubquery(expr);
    case ExprKind::kStar:
      return Error(expr.span, "* is not allowed here");
    case ExprKind::kParameter:
      return ResolveParameter(expr);
  }
  return absl::InternalError("unknown expression");
}

absl::StatusOr<ScalarPtr> Resolver::ToBool(Ex value, Span span) {
  if (value.condition || value.type.Is(ChKind::kBool)) return std::move(value.scalar);
  if (value.type.Is(ChKind::kNothing)) return ScalarPtr(NullOf(Type::Bool()));
  if (value.type.Is(ChKind::kInt)) {
    if (const Value* constant = ConstantOf(value)) return True(constant->int64_value() != 0);
    return Call("$not_equal", Type::Bool(), std::move(value.scalar), Number(0));
  }
  if (value.type.Is(ChKind::kFloat)) return Call("$not_equal", Type::Bool(), std::move(value.scalar), Floating(0));
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
  if (value.type.IsNumber() && type.IsNumber()) {
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
  if (!value.type.IsNumber() && !value.type.Is(ChKind::kNothing))
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

// Compares the text of an attribute with a literal by the stored value where that is the same for every text.
absl::StatusOr<Ex> Resolver::EqualText(const std::string& function, Ex& attribute, const std::string& text) {
  const bool equal = function == "equals";
  const auto made = [&](ScalarPtr condition) {
    return Ex{equal ? std::move(condition) : Not(std::move(condition)), UInt8(), true};
  };
  ScalarPtr stored = std::move(attribute.stored);
  const Type type = stored->type;
  if (text.empty()) {
    ScalarPtr absent = IsNull(Same(stored));
    if (!type.is(TypeKind::kString)) return made(std::move(absent));
    std::vector<ScalarPtr> either;
    either.push_back(std::move(absent));
    either.push_back(Call("$equal", Type::Bool(), std::move(stored), Text("")));
    return made(Or(std::move(either)));
  }
  ScalarPtr literal;
  if (type.is(TypeKind::kString)) {
    literal = Text(text);
  } else if (type.is(TypeKind::kInt64)) {
    const std::optional<int64_t> number = functions::ParseChInt(text);
    if (!number || StrCat(*number) != text) return made(True(false));  // no integer has this text
    literal = Number(*number);
  } else if (type.is(TypeKind::kBool)) {
    if (text != "true" && text != "false") return made(True(false));
    literal = True(text == "true");
  } else {
    return made(Call("$equal", Type::Bool(), std::move(attribute.scalar), Text(text)));
  }
  return made(IfNull(Call("$equal", Type::Bool(), std::move(stored), std::move(literal)), True(false)));
}

namespace {

std::string_view PlanComparison(std::string_view function) {
  if (function == "equals") return "$equal";
  if (function == "notEquals") return "$not_equal";
  if (function == "less") return "$less";
  if (function == "lessOrEquals") return "$less_or_equal";
  return function == "greater" ? "$greater" : "$greater_or_equal";
}

std::string Mirrored(const std::string& function) {
  if (function == "less") return "greater";
  if (function == "lessOrEquals") return "greaterOrEquals";
  if (function == "greater") return "less";
  return function == "greaterOrEquals" ? "lessOrEquals" : function;
}

}  // namespace

absl::StatusOr<Ex> Resolver::Compare(const std::string& function, Ex a, Ex b, Span span) {
  const bool nullable = a.type.nullable || b.type.nullable;
  if (a.type.Is(ChKind::kNothing) || b.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), NothingType()};
  const std::optional<std::string> text_a = LiteralText(a), text_b = LiteralText(b);
  if (text_a && !text_b) return Compare(Mirrored(function), std::move(b), std::move(a), span);
  const bool equality = function == "equals" || function == "notEquals";
  if (text_b && a.stored != nullptr && equality) return EqualText(function, a, *text_b);
  const auto made = [&](ScalarPtr x, ScalarPtr y) {
    ScalarPtr condition = Call(PlanComparison(function), Type::Bool(), std::move(x), std::move(y));
    condition->span = span;
    return Ex{std::move(condition), UInt8().Nullable(nullable), true};
  };
  if (a.type.Is(ChKind::kString) && b.type.Is(ChKind::kString)) return made(std::move(a.scalar), std::move(b.scalar));
  const bool times = a.type.IsTime() || b.type.IsTime();
  if (times && (a.type.IsTime() || text_a) && (b.type.IsTime() || text_b)) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, ToTime(std::move(a), span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, ToTime(std::move(b), span));
    return made(std::move(x), std::move(y));
  }
  if (a.type.IsNumber() && text_b) {
    const ChType type = a.condition || a.type.Is(ChKind::kBool) ? UInt8() : a.type;
    const std::optional<int64_t> whole = functions::ParseChInt(*text_b);
    const std::optional<double> number = functions::ParseChFloat(*text_b);
    if (type.Is(ChKind::kInt) ? !whole : !number)
      return Error(span, StrCat("can't read the text '", text_b->substr(0, 60), "' as ", type.ToString()));
    b = type.Is(ChKind::kInt) ? Ex{Number(*whole), type} : Ex{Floating(*number), Float64()};
  }
  if (a.type.IsNumber() && b.type.IsNumber()) {
    a = Plain(std::move(a));
    b = Plain(std::move(b));
    LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Common({&a.type, &b.type}, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex x, Convert(std::move(a), type, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex y, Convert(std::move(b), type, span));
    return made(std::move(x.scalar), std::move(y.scalar));
  }
  if (a.type.Is(ChKind::kTuple) && b.type.Is(ChKind::kTuple) && a.type.parts.size() == b.type.parts.size() &&
      !a.type.parts.empty()) {
    // Lexicographic: from the last field to the first one.
    ScalarPtr result;
    const std::string strict = function == "lessOrEquals"      ? "less"
                               : function == "greaterOrEquals" ? "greater"
                                                               : function;
    for (size_t i = a.type.parts.size(); i-- > 0;) {
      const auto field = [&](const Ex& value) {
        return Ex{std::make_unique<rewrite::FieldRef>(Same(value.scalar), static_cast<int>(i)), value.type.parts[i]};
      };
      const bool last = result == nullptr;
      LOGQUERY_ASSIGN_OR_RETURN(Ex part, Compare(last ? function : strict, field(a), field(b), span));
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(part), span));
      if (last) {
        result = std::move(condition);
        continue;
      }
      std::vector<ScalarPtr> parts;
      if (equality) {
        parts.push_back(std::move(condition));
        parts.push_back(std::move(result));
        result = function == "equals" ? And(std::move(parts)) : Or(std::move(parts));
        continue;
      }
      LOGQUERY_ASSIGN_OR_RETURN(Ex same, Compare("equals", field(a), field(b), span));
      std::vector<ScalarPtr> both;
      both.push_back(std::move(same.scalar));
      both.push_back(std::move(result));
      parts.push_back(std::move(condition));
      parts.push_back(And(std::move(both)));
      result = Or(std::move(parts));
    }
    return Ex{std::move(result), UInt8().Nullable(nullable), true};
  }
  if ((a.type.Is(ChKind::kMap) || a.type.Is(ChKind::kArray)) && a.type.kind == b.type.kind && equality) {
    return made(Call("TO_JSON_STRING", Type::String(), std::move(a.scalar)),
                Call("TO_JSON_STRING", Type::String(), std::move(b.scalar)));
  }
  const bool text_and_number =
      (a.type.Is(ChKind::kString) && b.type.IsNumber()) || (b.type.Is(ChKind::kString) && a.type.IsNumber());
  return Error(span, StrCat("can't compare ", a.type.ToString(), " with ", b.type.ToString(),
                            text_and_number ? "; convert the text by toInt32OrZero or toFloat64OrZero" : ""));
}

absl::StatusOr<Ex> Resolver::ResolveElement(const Expr& call, SelectScope& scope) {
  if (call.args.size() == 2 && call.args[1]->kind == ExprKind::kString) {
    LOGQUERY_ASSIGN_OR_RETURN(const RelColumn* attribute, FindAttribute(*call.args[0], call.args[1]->text, scope));
    if (attribute != nullptr) {
      Ex value = ReadColumn(*attribute);
      value.scalar->span = call.span;
      return value;
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex base, ResolveExpr(*call.args[0], scope));
  LOGQUERY_ASSIGN_OR_RETURN(Ex index, ResolveExpr(*call.args[1], scope));
  if (base.type.Is(ChKind::kMap)) {
    if (!index.type.Is(ChKind::kString)) return Error(call.args[1]->span, "a key of a map is a text");
    return Ex{Call("$ch.map_get", Type::String(), std::move(base.scalar), std::move(index.scalar)), String()};
  }
  if (!base.type.Is(ChKind::kArray))
    return Error(call.span, StrCat("can't read an element of a value of type ", base.type.ToString()));
  const ChType element = base.type.parts[0];
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr at, ToInt(std::move(index), call.args[1]->span));
  // Negative positions count from the end.
  if (const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(at.get());
      constant == nullptr || constant->value.is_null() || constant->value.int64_value() < 0) {
    ScalarPtr length = Call("ARRAY_LENGTH", Type::Int64(), Same(base.scalar));
    ScalarPtr from_end =
        Call("$add", Type::Int64(), Call("$add", Type::Int64(), std::move(length), Same(at)), Number(1));
    ScalarPtr negative = Call("$less", Type::Bool(), Same(at), Number(0));
    at = If(std::move(negative), std::move(from_end), std::move(at));
  }
  ScalarPtr value = Call("$safe_at_ordinal", element.PlanType(), std::move(base.scalar), std::move(at));
  if (!element.nullable) value = IfNull(std::move(value), DefaultOf(element));
  return Ex{std::move(value), element};
}

// The hidden column of a key, if the expression is the map of a table that has one; nullptr: it is not.
absl::StatusOr<const RelColumn*> Resolver::FindAttribute(const Expr& map, const std::string& key, SelectScope& scope) {
  if (map.kind != ExprKind::kName || map.path.back() != "log_attributes" || map.path.size() > 2) return nullptr;
  if (map.path.size() == 1 && scope.aliases.contains("log_attributes")) return nullptr;
  const RelColumn* found = nullptr;
  for (const RelColumn& column : scope.rows.columns) {
    const bool right_table = map.path.size() == 1 || column.table == map.path[0];
    if (column.role != RelColumn::Role::kAttribute || column.key != key || !right_table) continue;
    if (found == nullptr) found = &column;
  }
  return found;
}

absl::StatusOr<Ex> Resolver::ScalarSubquery(const Expr& subquery) {
  LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolveQuery(*subquery.query, nullptr));
  if (rows.columns.size() != 1) return Error(subquery.span, "a subquery that is a value must have one column");
  Ex read = ReadColumn(rows.columns[0]);
  const ChType type = read.type.Nullable();
  if (rows.columns[0].role != RelColumn::Role::kPlain) {
    LOGQUERY_ASSIGN_OR_RETURN(rows, ConvertColumns(std::move(rows), {read.type}, subquery.span));
  }
  ScalarPtr scalar = std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type.PlanType(),
                                                               std::move(rows.plan));
  scalar->span = subquery.span;
  return Ex{std::move(scalar), type};
}

absl::StatusOr<Ex> Resolver::InSubquery(Ex value, const Expr& rows_expr, Span span) {
  LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolveQuery(*rows_expr.query, nullptr));
  if (rows.columns.size() != 1) return Error(rows_expr.span, "IN wants a subquery with one column");
  value = Plain(std::move(value));
  Ex read = ReadColumn(rows.columns[0]);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Common({&value.type, &read.type}, span));
  LOGQUERY_ASSIGN_OR_RETURN(rows, ConvertColumns(std::move(rows), {type}, span));
  LOGQUERY_ASSIGN_OR_RETURN(Ex left, Convert(std::move(value), type, span));
  const bool nullable = left.type.nullable;
  auto in =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kIn, Type::Bool(), std::move(rows.plan));
  in->value = std::move(left.scalar);
  in->span = span;
  // NULLs among the rows are no values: what is not found is not in the list.
  ScalarPtr found = IfNull(std::move(in), True(false));
  return Ex{std::move(found), UInt8().Nullable(nullable), true};
}

absl::StatusOr<Ex> Resolver::ResolveIn(const Expr& call, SelectScope& scope) {
  const bool negated = call.text == "notIn";
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*call.args[0], scope));
  const auto finish = [&](Ex found) {
    if (negated) found.scalar = Not(std::move(found.scalar));
    return found;
  };
  const Expr& list = *call.args[1];
  if (list.kind == ExprKind::kSubquery) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex found, InSubquery(std::move(value), list, call.span));
    return finish(std::move(found));
  }
  const bool tuple_value = value.type.Is(ChKind::kTuple);
  std::vector<const Expr*> items;
  const bool is_list = list.kind == ExprKind::kCall && (list.text == "tuple" || list.text == "array");
  const bool one_tuple = is_list && tuple_value && !list.args.empty() &&
                         !(list.args[0]->kind == ExprKind::kCall && list.args[0]->text == "tuple");
  if (is_list && !one_tuple) {
    for (const ExprPtr& item : list.args) items.push_back(item.get());
  } else {
    items.push_back(&list);
  }
  // Equality with each, so that texts are compared as elsewhere; NULLs in the list equal nothing.
  std::vector<ScalarPtr> found;
  std::vector<ScalarPtr> texts;
  for (const Expr* item : items) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex candidate, ResolveExpr(*item, scope));
    if (candidate.type.Is(ChKind::kNothing)) continue;
    const std::optional<std::string> text = LiteralText(candidate);
    if (text && value.type.Is(ChKind::kString) && value.stored == nullptr) {
      texts.push_back(std::move(candidate.scalar));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex equal, Compare("equals", Copy(value), std::move(candidate), item->span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(equal), item->span));
    found.push_back(std::move(condition));
  }
  if (value.stored != nullptr && found.size() > 1) {
    // One IN of the stored value, where every comparison is `IFNULL(stored = literal, FALSE)`.
    std::vector<ScalarPtr> literals;
    literals.push_back(Same(value.stored));
    for (const ScalarPtr& condition : found) {
      if (!rewrite::IsCallOf(*condition, "IFNULL")) break;
      const auto& equal =
          rewrite::As<rewrite::FunctionCall>(*rewrite::As<rewrite::FunctionCall>(*condition).arguments[0]);
      literals.push_back(Same(equal.arguments[1]));
    }
    if (literals.size() == found.size() + 1) {
      found.clear();
      found.push_back(IfNull(Call("$in", Type::Bool(), std::move(literals)), True(false)));
    }
  }
  if (!texts.empty()) {
    texts.insert(texts.begin(), Same(value.scalar));
    found.push_back(Call("$in", Type::Bool(), std::move(texts)));
  }
  if (found.empty()) found.push_back(True(false));
  return finish({Or(std::move(found)), UInt8().Nullable(value.type.nullable), true});
}

absl::StatusOr<Ex> Resolver::ResolveArrayJoin(const Expr& call, SelectScope& scope) {
  if (call.args.size() != 1) return Error(call.span, "arrayJoin wants one array");
  if (scope.in_aggregate || !scope.lambda_names.empty())
    return Error(call.span, "arrayJoin is not supported inside of an aggregate or a lambda");
  LOGQUERY_ASSIGN_OR_RETURN(Ex array, ResolveExpr(*call.args[0], scope));
  if (!array.type.Is(ChKind::kArray))
    return Error(call.span, StrCat("arrayJoin wants an array, not ", array.type.ToString()));
  const ChType element = array.type.parts[0];
  const PlanColumn column = NewColumn("element", element.PlanType());
  scope.array_joins.emplace_back(std::move(array.scalar), column);
  return Ex{std::make_unique<ColumnRef>(column), element};
}

// Resolves the lambda's body with its parameters as names; the result's scalar is the LambdaScalar.
absl::StatusOr<Ex> Resolver::ResolveLambda(const Expr& lambda, const std::vector<ChType>& parameters,
                                           SelectScope& scope) {
  if (lambda.kind != ExprKind::kLambda) return Error(lambda.span, "a lambda such as x -> x > 1 is wanted here");
  if (lambda.path.size() != parameters.size())
    return Error(lambda.span, StrCat("the lambda must have ", parameters.size(), " parameters"));
  std::vector<PlanColumn> columns;
  for (size_t i = 0; i < parameters.size(); ++i) {
    columns.push_back(NewColumn(lambda.path[i], parameters[i].PlanType()));
    scope.lambda_names.emplace_back(lambda.path[i], Ex{std::make_unique<ColumnRef>(columns.back()), parameters[i]});
  }
  absl::StatusOr<Ex> body = ResolveExpr(*lambda.args[0], scope);
  scope.lambda_names.resize(scope.lambda_names.size() - parameters.size());
  LOGQUERY_RETURN_IF_ERROR(body.status());
  const ChType type = body->type;
  const bool condition = body->condition;
  return Ex{std::make_unique<rewrite::LambdaScalar>(std::move(columns), std::move(body->scalar)), type, condition};
}

absl::StatusOr<Ex> Resolver::ResolveCall(const Expr& call, SelectScope& scope) {
  if (call.over != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::optional<Ex> window, ResolveWindowFunction(call, scope));
    if (window) return *std::move(window);
    return Error(call.span, StrCat("the function ", call.text, " can't be used with OVER"));
  }
  if (call.text == "arrayElement" && call.args.size() == 2) return ResolveElement(call, scope);
  if ((call.text == "in" || call.text == "notIn") && call.args.size() == 2) return ResolveIn(call, scope);
  if (call.text == "arrayJoin") return ResolveArrayJoin(call, scope);
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<Ex> aggregate, ResolveAggregate(call, scope));
  if (aggregate) return *std::move(aggregate);
  const FunctionInfo* info = FindFunction(call.text);
  if (info == nullptr) {
    std::vector<std::string> nearest = sql::NearestNames(call.text, FunctionNames());
    return Error(
        call.span,
        StrCat("the function ", call.text, " is unknown or not allowed here; names of functions are case-sensitive"),
        std::move(nearest));
  }
  if (call.has_params || call.distinct)
    return Error(call.span, StrCat("the function ", call.text, " takes neither parameters nor DISTINCT"));
  if (call.args.size() < info->least || call.args.size() > info->most) {
    return Error(call.span, StrCat("the function ", call.text, " takes ", info->least,
                                   info->most == info->least ? ""
                                   : info->most > 100        ? " or more"
                                                             : StrCat(" to ", info->most),
                                   " arguments, not ", call.args.size()));
  }
  if (in_definition_ == false && use_ != nullptr &&
      std::find(use_->functions.begin(), use_->functions.end(), call.text) == use_->functions.end())
    use_->functions.push_back(call.text);
  CallArgs args{*this, scope, call, {}};
  for (const ExprPtr& arg : call.args) {
    if (info->resolves_itself || (info->takes_lambda && arg->kind == ExprKind::kLambda)) {
      args.args.push_back(Ex{nullptr, NothingType()});
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*arg, scope));
    args.args.push_back(std::move(value));
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, info->resolve(args));
  if (made.scalar->span.end == 0) made.scalar->span = call.span;
  return made;
}

bool CallArgs::AnyNullable() const {
  return std::any_of(args.begin(), args.end(), [](const Ex& arg) { return arg.type.nullable; });
}

}  // namespace logquery::clickhouse_sql
