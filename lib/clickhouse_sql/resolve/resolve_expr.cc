// Expressions: calls, look-ups, subqueries that are values, lambdas.
#include <algorithm>

#include "lib/base/readable_text.h"
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
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveOfKind(expr, scope));
  if (options_.on_type != nullptr) options_.on_type(expr, value.type);
  return value;
}

absl::StatusOr<Ex> Resolver::ResolveOfKind(const Expr& expr, SelectScope& scope) {
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
    return Error(lambda.span, StrCat("the lambda must have ", base::Counted(parameters.size(), "parameter")));
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
                                   info->least == 1 && info->most == 1 ? " argument, not " : " arguments, not ",
                                   call.args.size()));
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
