// Resolves operators, IN, LIKE, CASE and EXTRACT.
#include <limits>

#include "lib/base/status_macros.h"
#include "lib/model/interval_text.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/rewrite/resolve/type_list_text.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

// x = NULL, written so, is a mistake for x IS NULL.
absl::Status Resolver::RefuseNull(const sql::Expr& operand) {
  const auto* literal = sql::If<sql::Literal>(&operand);
  if (literal == nullptr || literal->form != sql::Literal::Form::kNull) return absl::OkStatus();
  return Error(operand.span, "an operator's operand can't be the literal NULL; to test for it write IS NULL");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveBeside(const Scalar& other, const sql::Expr& expr,
                                                  const ExprContext& context) {
  const auto* path = sql::If<sql::PathExpr>(&expr);
  if (path == nullptr || path->names.size() != 1 || !other.type.is(TypeKind::kString))
    return ResolveExpr(expr, context);
  ExprContext beside = context;
  beside.beside_text = true;
  return ResolveExpr(expr, beside);
}

absl::StatusOr<std::vector<ScalarPtr>> Resolver::ResolveAllBeside(const Scalar& other,
                                                                  const std::vector<sql::ExprPtr>& exprs,
                                                                  const ExprContext& context) {
  std::vector<ScalarPtr> scalars;
  scalars.reserve(exprs.size());
  for (const sql::ExprPtr& expr : exprs) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveBeside(other, *expr, context));
    scalars.push_back(std::move(scalar));
  }
  return scalars;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveUnary(const sql::Unary& unary, const ExprContext& context) {
  using Op = sql::Unary::Op;
  const sql::Literal* literal = sql::If<sql::Literal>(unary.operand.get());
  // The one integer whose digits alone are out of range.
  if (unary.op == Op::kMinus && literal != nullptr && literal->form == sql::Literal::Form::kInteger &&
      literal->text == "9223372036854775808") {
    return MakeLiteral(Value::Int64(std::numeric_limits<int64_t>::min()), unary.span);
  }
  LOGQUERY_RETURN_IF_ERROR(RefuseNull(*unary.operand));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*unary.operand, context));
  if (const Constant* constant = If<Constant>(operand.get());
      unary.op == Op::kMinus && constant != nullptr && !constant->value.is_null()) {
    const Value& value = constant->value;
    if (value.type().is(TypeKind::kInt64) && value.int64_value() != std::numeric_limits<int64_t>::min()) {
      return MakeLiteral(Value::Int64(-value.int64_value()), unary.span);
    }
    if (value.type().is(TypeKind::kFloat64)) return MakeLiteral(Value::Float64(-value.float64_value()), unary.span);
  }
  switch (unary.op) {
    case Op::kMinus:
      return MakeCall("$negate", std::move(operand), unary.span);
    case Op::kPlus:
      if (!IsNumeric(operand->type)) return Error(unary.span, "the sign + wants a number");
      return operand;
    case Op::kBitNot:
      return MakeCall("$bit_not", std::move(operand), unary.span);
    case Op::kNot:
      return MakeCall("$not", std::move(operand), unary.span);
  }
  return absl::InternalError("unknown operator");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveIn(const sql::InExpr& in, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*in.value, context));
  ScalarPtr result;
  if (in.candidates.subquery != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(result, ResolveInSubquery(in, std::move(value), context));
  } else if (in.candidates.unnest != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr array, ResolveExpr(*in.candidates.unnest, context));
    LOGQUERY_ASSIGN_OR_RETURN(result, MakeCall("$in_array", std::move(value), std::move(array), in.span));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> operands, ResolveAllBeside(*value, in.candidates.list, context));
    LOGQUERY_ASSIGN_OR_RETURN(result, MakeIn(std::move(value), std::move(operands), in.span));
  }
  return in.negated ? MakeCall("$not", std::move(result), in.span) : std::move(result);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveLike(const sql::LikeExpr& like, const ExprContext& context) {
  using Quantifier = sql::LikeExpr::Quantifier;
  if (like.ignore_case && like.quantifier != Quantifier::kOne) {
    return Unsupported(like.span, "ILIKE with ANY or ALL is not supported; join single ones by OR or AND");
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*like.value, context));
  // x NOT LIKE ANY (a, b) is NOT LIKE a OR NOT LIKE b.
  const bool any = (like.quantifier == Quantifier::kAny) != like.negated;
  ScalarPtr result;
  if (like.patterns.subquery != nullptr || like.patterns.unnest != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(result, LikeRows(like, std::move(value), any, context));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> patterns, ResolveAllBeside(*value, like.patterns.list, context));
    LOGQUERY_ASSIGN_OR_RETURN(result, LikeList(like, std::move(value), std::move(patterns), any));
  }
  return like.negated ? MakeCall("$not", std::move(result), like.span) : std::move(result);
}

absl::StatusOr<ScalarPtr> Resolver::LikeList(const sql::LikeExpr& like, ScalarPtr value,
                                             std::vector<ScalarPtr> patterns, bool any) {
  const bool one = like.quantifier == sql::LikeExpr::Quantifier::kOne;
  if (one || !value->type.is(TypeKind::kBytes) || !IsSmall(*value)) {
    patterns.insert(patterns.begin(), std::move(value));
    const char* function = one ? (like.ignore_case ? "$ilike" : "$like") : any ? "$like_any" : "$like_all";
    return MakeCall(function, std::move(patterns), like.span);
  }
  for (ScalarPtr& pattern : patterns) {
    LOGQUERY_ASSIGN_OR_RETURN(pattern, MakeCall("$like", Clone(*value), std::move(pattern), like.span));
  }
  if (patterns.size() == 1) return std::move(patterns[0]);
  return MakeCall(any ? "$or" : "$and", std::move(patterns), like.span);
}

// x LIKE ANY over rows becomes TRUE IN (SELECT x LIKE pattern), x LIKE ALL becomes NOT FALSE IN (…): both treat NULLs
// and empty results correctly.
absl::StatusOr<ScalarPtr> Resolver::LikeRows(const sql::LikeExpr& like, ScalarPtr value, bool any,
                                             const ExprContext& context) {
  const Scope visible = ScopeOfSubquery(context);
  PlanPtr rows;
  if (like.patterns.subquery != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Named query, ResolveQuery(*like.patterns.subquery, &visible));
    rows = std::move(query.plan);
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr array, ResolveExpr(*like.patterns.unnest, context));
    if (!array->type.is_array()) {
      return Error(like.patterns.unnest->span,
                   StrCat("UNNEST wants an array, not a value of type ", array->type.ToString()));
    }
    if (IsUntypedEmptyArray(*array)) {
      LOGQUERY_ASSIGN_OR_RETURN(array, CoerceAt(std::move(array), Type::Array(value->type), "LIKE"));
    }
    auto unnest = std::make_unique<Unnest>(std::make_unique<SingleRow>());
    unnest->elements = {NewColumn("pattern", array->type.element())};
    unnest->columns = unnest->elements;
    unnest->arrays.push_back(std::move(array));
    rows = std::move(unnest);
  }
  if (rows->columns.size() != 1) {
    return Error(like.patterns.subquery->span,
                 StrCat("the subquery of LIKE gives ", rows->columns.size(), " columns; it has to be one"));
  }
  ScalarPtr pattern = std::make_unique<ColumnRef>(rows->columns[0]);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr matches, MakeCall("$like", std::move(value), std::move(pattern), like.span));
  auto project = std::make_unique<Project>(std::move(rows));
  project->columns = {NewColumn("matches", Type::Bool())};
  project->computed.push_back({project->columns[0], std::move(matches)});
  auto found = std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kIn, Type::Bool(), std::move(project));
  found->value = MakeLiteral(Value::Bool(any), like.span);
  return any ? ScalarPtr(std::move(found)) : MakeCall("$not", std::move(found), like.span);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCase(const sql::CaseExpr& expr, const ExprContext& context) {
  ScalarPtr operand;
  std::vector<ScalarPtr> conditions, results;
  if (expr.operand != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(operand, ResolveExpr(*expr.operand, context));
  }
  ExprContext inner = context;
  inner.clause = "CASE WHEN";
  for (const sql::CaseExpr::When& when : expr.whens) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, operand != nullptr ? ResolveExpr(*when.condition, context)
                                                                      : ResolveBool(*when.condition, inner));
    conditions.push_back(std::move(condition));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr result, ResolveExpr(*when.result, context));
    results.push_back(std::move(result));
  }
  if (expr.otherwise != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr result, ResolveExpr(*expr.otherwise, context));
    results.push_back(std::move(result));
  } else {
    results.push_back(MakeLiteral(Value::Null(Type::Int64()), expr.span));
  }
  std::vector<const Scalar*> pointers;
  for (const ScalarPtr& result : results) pointers.push_back(result.get());
  std::optional<Type> type = CommonSupertype(pointers, &own_records_);
  if (!type) {
    return Error(expr.span, StrCat("the results of this CASE have no type in common, but are ", TypeListText(pointers),
                                   "; cast them to one"));
  }
  auto made = std::make_unique<Case>(*type);
  if (operand != nullptr) {
    std::vector<const Scalar*> compared = {operand.get()};
    for (const ScalarPtr& condition : conditions) compared.push_back(condition.get());
    std::optional<Type> common = CommonSupertype(compared);
    if (!common) return Error(expr.span, "the values after WHEN can't be compared with the one after CASE");
    LOGQUERY_ASSIGN_OR_RETURN(operand, CoerceAt(std::move(operand), *common, "CASE"));
    const bool by_fields = common->is_struct() && (conditions.size() == 1 || IsSmall(*operand));
    for (ScalarPtr& condition : conditions) {
      LOGQUERY_ASSIGN_OR_RETURN(condition, CoerceAt(std::move(condition), *common, "WHEN"));
      if (!by_fields) continue;
      LOGQUERY_ASSIGN_OR_RETURN(condition, MakeEqual(Clone(*operand), std::move(condition), expr.span));
    }
    if (!by_fields) made->operand = std::move(operand);
  }
  for (ScalarPtr& result : results) {
    LOGQUERY_ASSIGN_OR_RETURN(result, CoerceAt(std::move(result), *type, "CASE"));
  }
  for (size_t i = 0; i < conditions.size(); ++i) {
    made->whens.push_back({std::move(conditions[i]), std::move(results[i])});
  }
  made->otherwise = std::move(results.back());
  return ScalarPtr(std::move(made));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveExtract(const sql::ExtractExpr& extract, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*extract.operand, context));
  std::string part = base::ToUpper(extract.part.text);
  std::vector<ScalarPtr> arguments;
  bool of_timestamp = operand->type.is(TypeKind::kTimestamp);
  arguments.push_back(std::move(operand));
  const char* function = part == "DATE"       ? "$extract_date"
                         : part == "TIME"     ? "$extract_time"
                         : part == "DATETIME" ? "$extract_datetime"
                                              : "$extract";
  if (std::string_view(function) == "$extract") {
    if (!extract.part_argument.empty()) part = StrCat(part, "(", base::ToUpper(extract.part_argument), ")");
    if (!model::IsDatePart(part)) {
      return Error(extract.part.span, StrCat("unknown date part ", extract.part.text),
                   sql::NearestNames(part, model::DatePartNames()));
    }
    arguments.push_back(MakeLiteral(Value::String(part), extract.part.span));
  }
  if (extract.time_zone != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveExpr(*extract.time_zone, context));
    arguments.push_back(std::move(zone));
  } else if (of_timestamp && options_.time_zone != "UTC") {
    arguments.push_back(MakeLiteral(Value::String(options_.time_zone), extract.span));
  }
  return MakeCall(function, std::move(arguments), extract.span);
}

}  // namespace logquery::rewrite
