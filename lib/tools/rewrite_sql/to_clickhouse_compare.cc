// BETWEEN, IN, LIKE and CASE. NULL among candidates means nothing to ClickHouse's IN, so it is only left out where it can't
// matter.
#include <re2/re2.h>

#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

namespace {

const sql::Literal* TextLiteral(const sql::Expr& expr) {
  const auto* literal = sql::If<sql::Literal>(&expr);
  return literal != nullptr && literal->form == sql::Literal::Form::kString ? literal : nullptr;
}

bool IsTime(const Type& type) {
  return type.is(TypeKind::kTimestamp) || type.is(TypeKind::kDate) || type.is(TypeKind::kDatetime);
}

}  // namespace

absl::StatusOr<ChValue> ToClickHouse::Operand(const sql::Expr& expr, const Type* other, const Scope& scope) {
  const sql::Literal* text = TextLiteral(expr);
  if (text != nullptr && other != nullptr && IsTime(*other)) return TimeLiteral(text->text, *other, expr.span);
  return Expr(expr, scope);
}

absl::StatusOr<ChValue> ToClickHouse::TextOperand(const sql::Expr& expr, bool plain, const Type* other,
                                                  const Scope& scope) {
  if (plain) {
    if (ch::ExprPtr text = PlainText(expr, scope)) return ChValue{std::move(text), Type::String(), false, false};
  }
  return Operand(expr, other, scope);
}

absl::StatusOr<ChValue> ToClickHouse::Between(const sql::Between& between, const Scope& scope, Use use) {
  const Type& type = TypeOf(*between.value);
  const sql::Literal* low_text = TextLiteral(*between.low);
  const bool plain = use == Use::kCondition && !between.negated && low_text != nullptr && !low_text->text.empty();
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, TextOperand(*between.value, plain, &TypeOf(*between.low), scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue low, Operand(*between.low, &type, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue high, Operand(*between.high, &type, scope));
  const bool nullable = value.nullable || low.nullable || high.nullable;
  return ChValue{ch::MakeCallOf(between.negated ? "notBetween" : "between", std::move(value.expr), std::move(low.expr),
                                std::move(high.expr)),
                 Type::Bool(), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::In(const sql::InExpr& in, const Scope& scope, Use use) {
  if (in.candidates.subquery != nullptr) return InQuery(in, scope, use);
  const std::vector<sql::ExprPtr>* list = &in.candidates.list;
  if (in.candidates.unnest != nullptr) {
    const auto* array = sql::If<sql::ArrayExpr>(in.candidates.unnest.get());
    if (array == nullptr || array->elements.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*in.value, scope));
      LOGQUERY_ASSIGN_OR_RETURN(ChValue elements, Expr(*in.candidates.unnest, scope));
      if (value.nullable) return Unsupported(in.span, "IN UNNEST of a value that may be NULL");
      ch::ExprPtr has = ch::MakeCallOf("has", std::move(elements.expr), std::move(value.expr));
      if (in.negated) has = ch::MakeCallOf("not", std::move(has));
      return ChValue{std::move(has), Type::Bool(), false, false};
    }
    list = &array->elements;
  }
  bool all_texts = true;
  for (const sql::ExprPtr& candidate : *list) {
    const auto* literal = sql::If<sql::Literal>(candidate.get());
    if (literal == nullptr || literal->form == sql::Literal::Form::kNull)
      return Unsupported(candidate->span, "IN with other candidates than literals, or with NULL");
    all_texts = all_texts && literal->form == sql::Literal::Form::kString && !literal->text.empty();
  }
  const Type& type = TypeOf(*in.value);
  const bool plain = use == Use::kCondition && !in.negated && all_texts;
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, TextOperand(*in.value, plain, nullptr, scope));
  std::vector<ch::ExprPtr> candidates;
  for (const sql::ExprPtr& candidate : *list) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue made, Operand(*candidate, &type, scope));
    candidates.push_back(std::move(made.expr));
  }
  return ChValue{
      ch::MakeCallOf(in.negated ? "notIn" : "in", std::move(value.expr), ch::MakeCall("tuple", std::move(candidates))),
      Type::Bool(), value.nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::InQuery(const sql::InExpr& in, const Scope& scope, Use use) {
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*in.value, scope));
  LOGQUERY_ASSIGN_OR_RETURN(Rows rows, QueryRows(*in.candidates.subquery, &scope));
  const bool nullable_rows = rows.columns.size() != 1 || rows.columns[0].nullable;
  const bool condition = use == Use::kCondition && !in.negated;
  // Without a match NULL among the rows makes IN NULL in BigQuery, and changes nothing in ClickHouse.
  if (nullable_rows && !condition)
    return Unsupported(in.span,
                       "NOT IN, or IN as a value, of rows that may be NULL; add a condition IS NOT NULL to them");
  if (value.nullable && !condition)
    return Unsupported(in.span, "NOT IN, or IN as a value, of a value that may be NULL and a subquery");
  auto subquery = std::make_unique<ch::Expr>();
  subquery->kind = ch::ExprKind::kSubquery;
  subquery->query = std::move(rows.query);
  return ChValue{ch::MakeCallOf(in.negated ? "notIn" : "in", std::move(value.expr), std::move(subquery)), Type::Bool(),
                 value.nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Like(const sql::LikeExpr& like, const Scope& scope, Use use) {
  if (like.quantifier != sql::LikeExpr::Quantifier::kOne || like.patterns.list.size() != 1)
    return Unsupported(like.span, "LIKE ANY and LIKE ALL; write OR or AND");
  const sql::Literal* pattern = TextLiteral(*like.patterns.list[0]);
  // '' is like '' and '%' only.
  const bool may_be_empty = pattern == nullptr || pattern->text.find_first_not_of('%') == std::string::npos;
  const bool plain = use == Use::kCondition && !like.negated && !may_be_empty;
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, TextOperand(*like.value, plain, nullptr, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue by, Expr(*like.patterns.list[0], scope));
  const bool nullable = value.nullable || by.nullable;
  const char* function = like.ignore_case ? (like.negated ? "notILike" : "ilike") : (like.negated ? "notLike" : "like");
  return ChValue{ch::MakeCallOf(function, std::move(value.expr), std::move(by.expr)), Type::Bool(), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Case(const sql::CaseExpr& expr, const Scope& scope) {
  bool plain = expr.operand != nullptr;
  for (const sql::CaseExpr::When& when : expr.whens) {
    const sql::Literal* text = TextLiteral(*when.condition);
    plain = plain && text != nullptr && !text->text.empty();
  }
  std::vector<ch::ExprPtr> args;
  ChValue operand;
  if (expr.operand != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(operand, TextOperand(*expr.operand, plain, nullptr, scope));
  }
  const bool by_value = expr.operand != nullptr && !operand.nullable;
  if (by_value) args.push_back(std::move(operand.expr));
  bool nullable = expr.otherwise == nullptr;
  bool is_datetime = true;
  const auto add_result = [&](const sql::Expr& result) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(result, scope));
    nullable = nullable || value.nullable;
    is_datetime = is_datetime && value.is_datetime;
    args.push_back(std::move(value.expr));
    return absl::OkStatus();
  };
  for (const sql::CaseExpr::When& when : expr.whens) {
    if (expr.operand == nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue condition, Expr(*when.condition, scope, Use::kCondition));
      args.push_back(std::move(condition.expr));
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Operand(*when.condition, &TypeOf(*expr.operand), scope));
      if (by_value && value.nullable) return Unsupported(when.condition->span, "CASE with a WHEN that may be NULL");
      args.push_back(by_value ? std::move(value.expr)
                              : ch::MakeCallOf("equals", ch::CloneExpr(*operand.expr), std::move(value.expr)));
    }
    LOGQUERY_RETURN_IF_ERROR(add_result(*when.result));
  }
  if (expr.otherwise != nullptr) {
    LOGQUERY_RETURN_IF_ERROR(add_result(*expr.otherwise));
  } else {
    args.push_back(ch::MakeNull());
  }
  return ChValue{ch::MakeCall(by_value ? "caseWithExpression" : "multiIf", std::move(args)), TypeOf(expr), nullable,
                 is_datetime && !nullable};
}

}  // namespace logquery::tools
