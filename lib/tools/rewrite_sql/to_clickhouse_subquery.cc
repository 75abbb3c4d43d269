// Subqueries as values. One that reads nothing but records of the row around it is an expression of that row; other
// correlated ones are EXISTS with an equality, which is IN.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

namespace {

ch::ExprPtr SubqueryExpr(ch::QueryPtr query) {
  auto expr = std::make_unique<ch::Expr>();
  expr->kind = ch::ExprKind::kSubquery;
  expr->query = std::move(query);
  return expr;
}

// The items of a FROM of joins that keep each row; false: it has others.
bool Flatten(const sql::FromItem& item, std::vector<const sql::FromItem*>& items) {
  const auto* join = sql::If<sql::JoinItem>(&item);
  if (join == nullptr) {
    items.push_back(&item);
    return true;
  }
  using Type = sql::JoinItem::Type;
  const bool plain = (join->type == Type::kComma || join->type == Type::kCross || join->type == Type::kInner) &&
                     join->on == nullptr && join->columns.empty();
  return plain && Flatten(*join->left, items) && Flatten(*join->right, items);
}

}  // namespace

// SELECT … FROM UNNEST(t.record) …: one row or none, depending on whether the record is there.
absl::StatusOr<std::optional<ChValue>> ToClickHouse::OverRecords(const sql::SubqueryExpr& subquery,
                                                                 const Scope& scope) {
  const sql::Query& query = *subquery.query;
  const auto* select = sql::If<sql::Select>(query.body.get());
  const bool plain = select != nullptr && select->from != nullptr && query.with.empty() && query.pipes.empty() &&
                     query.limit == nullptr && query.offset == nullptr && query.order_by.empty() && !select->group_by &&
                     select->having == nullptr && select->qualify == nullptr && !select->distinct &&
                     select->items.size() == 1 && !select->items[0].is_star;
  std::vector<const sql::FromItem*> items;
  if (!plain || !Flatten(*select->from, items)) return std::optional<ChValue>();
  const Source* source = nullptr;
  std::vector<std::string> deepest;
  for (const sql::FromItem* item : items) {
    const std::optional<NameSource> array = names_.ArrayOf(*item);
    const Source* of = array && names_.IsRecord(*item) ? FindSource(array->item, scope) : nullptr;
    if (of == nullptr || of->log == nullptr || array->column != "metadata" || (source != nullptr && of != source))
      return std::optional<ChValue>();
    // Each record has to be in the one before it.
    if (!std::equal(
            deepest.begin(), deepest.end(), array->fields.begin(),
            array->fields.begin() + static_cast<std::ptrdiff_t>(std::min(deepest.size(), array->fields.size()))) ||
        array->fields.size() < deepest.size()) {
      return std::optional<ChValue>();
    }
    source = of;
    deepest = array->fields;
  }
  const bool is_exists = subquery.form == sql::SubqueryExpr::Form::kExists;
  ch::ExprPtr condition;
  if (select->where != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue where, Expr(*select->where, scope, Use::kCondition));
    condition = std::move(where.expr);
    if (where.nullable) condition = ch::MakeCallOf("ifNull", std::move(condition), ch::MakeNumber(0));
  }
  const bool implied = select->where != nullptr && Implies(*select->where, *source, deepest);
  if (!implied && deepest.empty())
    return Unsupported(subquery.span, "a subquery over metadata alone: log_attributes can't tell whether it is NULL");
  if (!implied) {
    ch::ExprPtr present = HasRecord(*source, base::Join(deepest, "."), scope);
    condition =
        condition == nullptr ? std::move(present) : ch::MakeCallOf("and", std::move(present), std::move(condition));
  }
  if (is_exists) return std::optional<ChValue>(ChValue{std::move(condition), Type::Bool(), false, false});
  const sql::Expr& shown = *select->items[0].expr;
  if (shown.kind != sql::ExprKind::kPath) return std::optional<ChValue>();
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(shown, scope));
  if (subquery.form == sql::SubqueryExpr::Form::kScalar)
    return std::optional<ChValue>(ChValue{
        ch::MakeCallOf("if", std::move(condition), std::move(value.expr), ch::MakeNull()), TypeOf(shown), true, false});
  ch::ExprPtr one = ch::MakeCallOf("array", ch::CloneExpr(*value.expr));
  // An empty list of the same type.
  ch::ExprPtr empty = ch::MakeCallOf("arraySlice", ch::MakeCallOf("array", std::move(value.expr)), ch::MakeNumber(2));
  return std::optional<ChValue>(ChValue{ch::MakeCallOf("if", std::move(condition), std::move(one), std::move(empty)),
                                        TypeOf(subquery), false, false});
}

// EXISTS (SELECT … FROM t WHERE t.k = outer.k AND …) is outer.k IN (SELECT k FROM t WHERE …).
absl::StatusOr<ChValue> ToClickHouse::Exists(const sql::SubqueryExpr& subquery, const Scope& scope) {
  const auto refused = [&] {
    return Unsupported(subquery.span,
                       "EXISTS, but for a subquery with one equality of a column with one of the query around it");
  };
  const sql::Query& query = *subquery.query;
  const auto* select = sql::If<sql::Select>(query.body.get());
  const bool plain = select != nullptr && select->from != nullptr && query.with.empty() && query.pipes.empty() &&
                     query.limit == nullptr && query.offset == nullptr && !select->group_by &&
                     select->having == nullptr && select->qualify == nullptr && select->where != nullptr;
  if (!plain) return refused();
  Scope inner;
  inner.outer = &scope;
  inner.sources.reserve(kMaxSources);
  LOGQUERY_ASSIGN_OR_RETURN(ch::FromPtr from, From(*select->from, inner));
  const auto is_outer = [&](const sql::Expr& expr) {
    const std::optional<NameSource> name = names_.SourceOf(expr);
    return name && FindSource(name->item, inner) == nullptr && FindSource(name->item, scope) != nullptr;
  };
  std::vector<const sql::Expr*> conjuncts;
  const auto* nary = sql::If<sql::Nary>(select->where.get());
  if (nary != nullptr && nary->op == sql::Nary::Op::kAnd) {
    for (const sql::ExprPtr& operand : nary->operands) conjuncts.push_back(operand.get());
  } else {
    conjuncts.push_back(select->where.get());
  }
  const sql::Expr* outer_key = nullptr;
  const sql::Expr* inner_key = nullptr;
  LOGQUERY_RETURN_IF_ERROR(AddPresence(select->where.get(), inner));
  std::vector<ch::ExprPtr> conditions = std::move(inner.conditions);
  for (const sql::Expr* conjunct : conjuncts) {
    const auto* equal = sql::If<sql::Binary>(conjunct);
    if (equal != nullptr && equal->op == sql::Binary::Op::kEqual) {
      const bool left = is_outer(*equal->left);
      const bool right = is_outer(*equal->right);
      if (left != right && outer_key == nullptr) {
        outer_key = left ? equal->left.get() : equal->right.get();
        inner_key = left ? equal->right.get() : equal->left.get();
        continue;
      }
    }
    LOGQUERY_ASSIGN_OR_RETURN(ChValue condition, Expr(*conjunct, inner, Use::kCondition));
    conditions.push_back(std::move(condition.expr));
  }
  if (outer_key == nullptr) return refused();
  LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Expr(*inner_key, inner));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*outer_key, scope));
  if (key.nullable) conditions.push_back(ch::MakeCallOf("isNotNull", ch::CloneExpr(*key.expr)));
  auto rows = std::make_unique<ch::Query>();
  rows->parts.emplace_back();
  rows->parts[0].select = std::make_unique<ch::Select>();
  ch::Select& out = *rows->parts[0].select;
  out.items.push_back(std::move(key.expr));
  out.from = std::move(from);
  out.array_join = std::move(inner.array_join);
  if (!conditions.empty())
    out.where = conditions.size() == 1 ? std::move(conditions[0]) : ch::MakeCall("and", std::move(conditions));
  Note(subquery.span, "EXISTS with an equality is written as IN");
  ch::ExprPtr in = ch::MakeCallOf("in", std::move(value.expr), SubqueryExpr(std::move(rows)));
  if (value.nullable) in = ch::MakeCallOf("ifNull", std::move(in), ch::MakeNumber(0));
  return ChValue{std::move(in), Type::Bool(), false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Subquery(const sql::SubqueryExpr& subquery, const Scope& scope) {
  using Form = sql::SubqueryExpr::Form;
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<ChValue> inlined, OverRecords(subquery, scope));
  if (inlined) return *std::move(inlined);
  if (subquery.form == Form::kExists) return Exists(subquery, scope);
  LOGQUERY_ASSIGN_OR_RETURN(Rows rows, QueryRows(*subquery.query, &scope));
  if (rows.columns.size() != 1) return Unsupported(subquery.span, "a subquery of several columns as a value");
  if (subquery.form == Form::kScalar) {
    const ChColumn& column = rows.columns[0];
    Note(subquery.span, "a subquery with several rows is an error in both; without rows it is NULL");
    return ChValue{SubqueryExpr(std::move(rows.query)), column.type, true, column.is_datetime};
  }
  if (rows.columns[0].nullable && !skips_null_)
    return Unsupported(subquery.span, "ARRAY of a subquery whose values may be NULL, which groupArray leaves out");
  const std::string name = rows.columns[0].name;
  const Type type = TypeOf(subquery);
  Rows listed;
  listed.query = std::make_unique<ch::Query>();
  listed.query->parts.emplace_back();
  listed.query->parts[0].select = std::make_unique<ch::Select>();
  ch::Select& out = *listed.query->parts[0].select;
  ch::ExprPtr list = ch::MakeCallOf("groupArray", ch::MakeName(name));
  // The subquery's order is kept where it is that of its own values.
  const std::vector<sql::OrderItem>& order = subquery.query->order_by;
  const auto* path = order.size() == 1 ? sql::If<sql::PathExpr>(order[0].expr.get()) : nullptr;
  if (path != nullptr && base::EqualsIgnoreCase(path->names.back().text, name)) {
    list = ch::MakeCallOf(order[0].descending ? "arrayReverseSort" : "arraySort", std::move(list));
  } else if (!order.empty()) {
    return Unsupported(order[0].expr->span, "ARRAY of a subquery in the order of other values than its own");
  }
  out.items.push_back(std::move(list));
  out.from = std::make_unique<ch::From>();
  out.from->kind = ch::From::Kind::kSubquery;
  out.from->query = std::move(rows.query);
  return ChValue{SubqueryExpr(std::move(listed.query)), type, false, false};
}

}  // namespace logquery::tools
