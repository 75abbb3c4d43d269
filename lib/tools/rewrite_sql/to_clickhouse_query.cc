// Queries as a whole: WITH, unions, ORDER BY and LIMIT around them.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/sql/text_error.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

absl::Status ToClickHouse::Unsupported(sql::Span place, std::string_view message) const {
  return sql::TextErrorWithCode(absl::StatusCode::kUnimplemented, text_, place,
                                StrCat("can't be rewritten as ClickHouse SQL: ", message));
}

const Type& ToClickHouse::TypeOf(const sql::Expr& expr) const {
  static const Type* const unknown = new Type(TypeKind::kInterval);
  const Type* type = names_.TypeOf(expr);
  return type == nullptr ? *unknown : *type;
}

const std::vector<ChColumn>* ToClickHouse::FindEntry(std::string_view name, std::string& written) const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!base::EqualsIgnoreCase(entry->name, name)) continue;
    written = entry->name;
    return &entry->columns;
  }
  return nullptr;
}

absl::StatusOr<ch::QueryPtr> ToClickHouse::Rewrite(const sql::Query& query) {
  LOGQUERY_ASSIGN_OR_RETURN(Rows rows, QueryRows(query, nullptr));
  for (const ChColumn& column : rows.columns) {
    if (column.type.is(TypeKind::kBool)) Note(query.span, "conditions in the result are 1 and 0, not true and false");
    const bool is_time = column.type.is(TypeKind::kTimestamp);
    if (is_time) Note(query.span, "times in the result are texts such as 2026-03-04T05:06:07, not microseconds");
  }
  return std::move(rows.query);
}

absl::Status ToClickHouse::AddWith(const sql::Query& query, std::vector<ch::WithItem>& entries, const Scope* outer) {
  if (query.recursive) return Unsupported(query.span, "WITH RECURSIVE");
  for (const sql::Cte& cte : query.with) {
    if (base::EqualsIgnoreCase(cte.name.text, "logs"))
      return Unsupported(cte.name.span, "WITH defines logs, which is the table's name; give the entry another name");
    LOGQUERY_ASSIGN_OR_RETURN(Rows rows, QueryRows(*cte.query, outer));
    ch::WithItem item;
    item.name = cte.name.text;
    item.span = {cte.name.span.begin, cte.name.span.end};
    item.query = std::move(rows.query);
    entries.push_back(std::move(item));
    entries_.push_back({cte.name.text, std::move(rows.columns)});
  }
  return absl::OkStatus();
}

// Returns SELECT columns FROM (rows), to which clauses can be added.
ToClickHouse::Rows ToClickHouse::SelectFrom(Rows rows) {
  auto select = std::make_unique<ch::Select>();
  for (const ChColumn& column : rows.columns) select->items.push_back(ch::MakeName(column.name));
  select->from = std::make_unique<ch::From>();
  select->from->kind = ch::From::Kind::kSubquery;
  select->from->query = std::move(rows.query);
  Rows made;
  made.query = std::make_unique<ch::Query>();
  made.query->parts.emplace_back();
  made.query->parts[0].select = std::move(select);
  made.columns = std::move(rows.columns);
  return made;
}

absl::StatusOr<ToClickHouse::Rows> ToClickHouse::QueryRows(const sql::Query& query, const Scope* outer) {
  const size_t visible = entries_.size();
  const bool in_aggregate = std::exchange(in_aggregate_, false);
  const bool skips_null = std::exchange(skips_null_, false);
  std::vector<ch::WithItem> entries;
  LOGQUERY_RETURN_IF_ERROR(AddWith(query, entries, outer));
  Rows rows;
  if (query.pipes.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(rows, BodyRows(query, *query.body, outer));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(rows, PipeRows(query, outer));
  }
  const bool is_select = query.body->kind == sql::BodyKind::kSelect || !query.pipes.empty();
  const bool has_tail = !query.order_by.empty() || query.limit != nullptr || query.offset != nullptr;
  const bool one = rows.query->parts.size() == 1 && rows.query->parts[0].select != nullptr;
  if (!is_select && (has_tail || (!entries.empty() && !one))) {
    rows = SelectFrom(std::move(rows));
    LOGQUERY_RETURN_IF_ERROR(OrderRows(query, rows));
  }
  if (!entries.empty()) {
    std::vector<ch::WithItem>& with = rows.query->parts[0].select->with;
    with.insert(with.begin(), std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
  }
  entries_.resize(visible);
  in_aggregate_ = in_aggregate;
  skips_null_ = skips_null;
  rows.query->span = query.span;
  return rows;
}

absl::StatusOr<ToClickHouse::Rows> ToClickHouse::BodyRows(const sql::Query& query, const sql::QueryBody& body,
                                                          const Scope* outer) {
  switch (body.kind) {
    case sql::BodyKind::kSelect:
      return SelectRows(sql::As<sql::Select>(body), &query, outer);
    case sql::BodyKind::kParenthesized:
      return QueryRows(*sql::As<sql::ParenthesizedBody>(body).query, outer);
    case sql::BodyKind::kSetOperation: {
      const auto& set = sql::As<sql::SetOperation>(body);
      if (set.op.match != sql::SetOperator::Match::kByPosition)
        return Unsupported(set.op.span, "set operations that match columns by their names");
      if (set.op.kind == sql::SetOperator::Kind::kUnion) return UnionRows(set, outer);
      return IntersectRows(set, outer);
    }
    case sql::BodyKind::kFrom:
      return Unsupported(body.span, "a query that begins with FROM; begin it with SELECT");
  }
  return absl::InternalError("unknown kind of query body");
}

absl::StatusOr<ToClickHouse::Rows> ToClickHouse::UnionRows(const sql::SetOperation& set, const Scope* outer) {
  Rows all;
  all.query = std::make_unique<ch::Query>();
  for (const sql::QueryBodyPtr& input : set.inputs) {
    Rows rows;
    if (const auto* select = sql::If<sql::Select>(input.get())) {
      LOGQUERY_ASSIGN_OR_RETURN(rows, SelectRows(*select, nullptr, outer));
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(rows, BodyRows({}, *input, outer));
    }
    ch::Query::Part part;
    part.distinct = set.op.distinct;
    const bool plain = rows.query->parts.size() == 1 && rows.query->parts[0].select != nullptr &&
                       sql::If<sql::Select>(input.get()) != nullptr;
    if (plain) {
      part.select = std::move(rows.query->parts[0].select);
    } else {
      part.query = std::move(rows.query);
    }
    all.query->parts.push_back(std::move(part));
    if (all.columns.empty()) {
      all.columns = std::move(rows.columns);
      continue;
    }
    for (size_t i = 0; i < all.columns.size(); ++i) {
      all.columns[i].nullable = all.columns[i].nullable || rows.columns[i].nullable;
      all.columns[i].is_datetime = all.columns[i].is_datetime && rows.columns[i].is_datetime;
    }
  }
  return all;
}

// a INTERSECT DISTINCT b: the distinct rows of a that are in b. Rows with NULL are equal, so each column is compared with
// whether it is NULL.
absl::StatusOr<ToClickHouse::Rows> ToClickHouse::IntersectRows(const sql::SetOperation& set, const Scope* outer) {
  const bool except = set.op.kind == sql::SetOperator::Kind::kExcept;
  if (!set.op.distinct || set.inputs.size() != 2)
    return Unsupported(set.op.span, "INTERSECT and EXCEPT of more than two queries");
  std::vector<Rows> inputs;
  for (const sql::QueryBodyPtr& input : set.inputs) {
    const auto* select = sql::If<sql::Select>(input.get());
    if (select == nullptr) return Unsupported(input->span, "INTERSECT and EXCEPT of more than plain SELECTs");
    LOGQUERY_ASSIGN_OR_RETURN(Rows rows, SelectRows(*select, nullptr, outer));
    inputs.push_back(SelectFrom(std::move(rows)));
  }
  const ChColumn& column = inputs[0].columns[0];
  const bool text = column.type.is(TypeKind::kString);
  if (inputs[0].columns.size() != 1 || !(text || column.type.is(TypeKind::kInt64)))
    return Unsupported(set.op.span,
                       "INTERSECT and EXCEPT of more than one column, or of another than a text or integer");
  // One text for each value, and '' for NULL, which is equal to itself here.
  const bool nullable = column.nullable || inputs[1].columns[0].nullable;
  const auto compared = [&](const std::string& name) {
    ch::ExprPtr value = ch::MakeName(name);
    if (!nullable) return value;
    value = text ? ch::MakeCallOf("concat", ch::MakeString("="), std::move(value))
                 : ch::MakeCallOf("toString", std::move(value));
    return ch::MakeCallOf("ifNull", std::move(value), ch::MakeString(""));
  };
  ch::Select& left = *inputs[0].query->parts[0].select;
  ch::Select& right = *inputs[1].query->parts[0].select;
  left.distinct = true;
  right.items.clear();
  right.items.push_back(compared(inputs[1].columns[0].name));
  auto subquery = std::make_unique<ch::Expr>();
  subquery->kind = ch::ExprKind::kSubquery;
  subquery->query = std::move(inputs[1].query);
  left.where = ch::MakeCallOf(except ? "notIn" : "in", compared(column.name), std::move(subquery));
  Note(set.op.span, except ? "EXCEPT DISTINCT is written as NOT IN" : "INTERSECT DISTINCT is written as IN");
  return std::move(inputs[0]);
}

// ORDER BY and LIMIT around a union: over its columns.
absl::Status ToClickHouse::OrderRows(const sql::Query& query, Rows& rows) {
  ch::Select& select = *rows.query->parts[0].select;
  for (const sql::OrderItem& item : query.order_by) {
    ch::OrderItem order;
    order.descending = item.descending;
    const auto* path = sql::If<sql::PathExpr>(item.expr.get());
    const auto* literal = sql::If<sql::Literal>(item.expr.get());
    bool nullable = true;
    if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
      order.value = ch::MakeNumber(literal->text);
    } else if (path != nullptr && path->names.size() == 1) {
      for (const ChColumn& column : rows.columns) {
        if (!base::EqualsIgnoreCase(column.name, path->names[0].text)) continue;
        order.value = ch::MakeName(column.name);
        nullable = column.nullable;
      }
    }
    if (order.value == nullptr) return Unsupported(item.expr->span, "ORDER BY of an expression over a union's columns");
    order.value->span = item.expr->span;
    const bool first =
        item.nulls == sql::NullsOrder::kFirst || (item.nulls == sql::NullsOrder::kDefault && !item.descending);
    if (nullable && first) order.nulls_first = true;
    select.order_by.push_back(std::move(order));
  }
  return AddLimit(query.limit.get(), query.offset.get(), select);
}

absl::Status ToClickHouse::AddLimit(const sql::Expr* limit, const sql::Expr* offset, ch::Select& select) {
  for (const auto& [expr, to] : {std::pair(limit, &select.limit), std::pair(offset, &select.offset)}) {
    if (expr == nullptr) continue;
    const auto* literal = sql::If<sql::Literal>(expr);
    if (literal == nullptr || literal->form != sql::Literal::Form::kInteger)
      return Unsupported(expr->span, "LIMIT and OFFSET other than integer literals");
    *to = ch::MakeNumber(literal->text);
    (*to)->span = expr->span;
  }
  return absl::OkStatus();
}

}  // namespace logquery::tools
