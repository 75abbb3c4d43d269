// One SELECT: its list, WHERE, GROUP BY and ORDER BY. In ClickHouse an alias wins over a column in every clause, so a column
// with an alias's name is qualified; and an expression that the list shows is written by its name.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/clickhouse_sql/printer.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

std::string ImplicitName(const sql::Expr& expr) {
  if (const auto* path = sql::If<sql::PathExpr>(&expr)) return path->names.back().text;
  if (const auto* access = sql::If<sql::FieldAccess>(&expr)) return access->field.text;
  return "";
}

bool ListsColumn(const std::vector<sql::Identifier>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const sql::Identifier& known) { return base::EqualsIgnoreCase(known.text, name); });
}

}  // namespace

void ToClickHouse::NameItems(const std::vector<sql::SelectItem>& items, Scope& scope) {
  for (const sql::SelectItem& item : items) {
    if (item.is_star) continue;
    std::string name = item.alias ? item.alias->text : ImplicitName(*item.expr);
    scope.items.push_back({std::move(name), item.expr.get(), names_.SourceOf(*item.expr)});
  }
}

void ToClickHouse::AddItem(std::string name, ChValue value, sql::Span span, Scope& scope, Rows& rows) {
  ch::Select& out = *rows.query->parts[0].select;
  if (name.empty()) {
    // BigQuery's names of columns without one: f0_, f1_ …
    int count = 0;
    for (const ChColumn& column : rows.columns) count += column.name.starts_with("f") && column.name.ends_with("_");
    name = StrCat("f", count, "_");
  }
  const bool is_name = value.expr->kind == ch::ExprKind::kName && value.expr->path.back() == name;
  scope.printed.emplace_back(ch::Print(*value.expr), name);
  if (!is_name || value.expr->path.size() > 1) value.expr->alias = name;
  value.expr->span = span;
  rows.columns.push_back({std::move(name), value.type, value.nullable, value.is_datetime});
  out.items.push_back(std::move(value.expr));
}

absl::Status ToClickHouse::AddStar(const sql::SelectItem& item, Scope& scope, Rows& rows) {
  if (!item.replace.empty()) return Unsupported(item.span, "SELECT * REPLACE");
  if (item.expr == nullptr && scope.sources.size() > 1) return Unsupported(item.span, "* of a join; name the columns");
  const auto* path = sql::If<sql::PathExpr>(item.expr.get());
  if (item.expr != nullptr && (path == nullptr || path->names.size() != 1))
    return Unsupported(item.span, ".* of a record; name its fields");
  for (const Source& source : scope.sources) {
    if (path != nullptr && !base::EqualsIgnoreCase(path->names[0].text, source.alias) &&
        !base::EqualsIgnoreCase(path->names[0].text, source.qualifier) &&
        !base::EqualsIgnoreCase(path->names[0].text, source.log_name)) {
      continue;
    }
    std::vector<std::string> columns;
    const RowsOf* read = source.item == nullptr ? nullptr : names_.RowsOfItem(*source.item);
    if (source.log == nullptr) {
      for (const ChColumn& column : source.columns) columns.push_back(column.name);
    } else if (read != nullptr) {
      for (const rewrite::PlanColumn& column : read->columns) columns.push_back(column.name);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (ListsColumn(item.except, columns[i])) continue;
      absl::StatusOr<ChValue> value;
      if (source.log != nullptr && read->columns[i].type.is_record()) {
        value = StoredRecord(source, {source.item, columns[i], {}}, read->columns[i].type, item.span, scope);
      } else {
        value = ColumnOf(source, columns[i], scope, item.span);
      }
      LOGQUERY_RETURN_IF_ERROR(value.status());
      AddItem(columns[i], *std::move(value), item.span, scope, rows);
    }
  }
  if (rows.columns.empty()) return Unsupported(item.span, "this *; name the columns");
  return absl::OkStatus();
}

absl::Status ToClickHouse::AddItems(const std::vector<sql::SelectItem>& items, Scope& scope, Rows& rows) {
  for (const sql::SelectItem& item : items) {
    if (item.is_star) {
      LOGQUERY_RETURN_IF_ERROR(AddStar(item, scope, rows));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Shown(*item.expr, scope));
    AddItem(item.alias ? item.alias->text : ImplicitName(*item.expr), std::move(value), item.span, scope, rows);
  }
  return absl::OkStatus();
}

absl::Status ToClickHouse::AddWhere(const sql::Select& select, Scope& scope, ch::Select& out) {
  LOGQUERY_RETURN_IF_ERROR(AddPresence(select.where.get(), scope));
  std::vector<ch::ExprPtr> conditions = std::move(scope.conditions);
  if (select.where != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue where, Expr(*select.where, scope, Use::kCondition));
    where.expr->span = select.where->span;
    const bool is_and = where.expr->kind == ch::ExprKind::kCall && where.expr->text == "and";
    if (is_and) {
      for (ch::ExprPtr& part : where.expr->args) conditions.push_back(std::move(part));
    } else {
      conditions.push_back(std::move(where.expr));
    }
  }
  if (conditions.empty()) return absl::OkStatus();
  out.where = conditions.size() == 1 ? std::move(conditions[0]) : ch::MakeCall("and", std::move(conditions));
  if (select.where != nullptr) out.where->span = select.where->span;
  return absl::OkStatus();
}

ch::ExprPtr ToClickHouse::ByName(ch::ExprPtr expr, const Scope& scope) {
  const std::string text = ch::Print(*expr);
  for (const auto& [printed, name] : scope.printed) {
    if (printed == text && expr->kind != ch::ExprKind::kNumber && expr->kind != ch::ExprKind::kString)
      return ch::MakeName(name);
  }
  return expr;
}

absl::Status ToClickHouse::AddGroupBy(const sql::GroupBy& group_by, Scope& scope, ch::Select& out) {
  if (group_by.and_order_by) return Unsupported(group_by.items[0].span, "GROUP AND ORDER BY");
  out.grouping = group_by.all ? ch::Grouping::kAll : ch::Grouping::kKeys;
  const auto add = [&](const sql::Expr& expr, bool rolled_up) -> absl::Status {
    const auto* literal = sql::If<sql::Literal>(&expr);
    if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
      if (rolled_up) return Unsupported(expr.span, "ROLLUP of an ordinal; name the column");
      out.group_by.push_back(ch::MakeNumber(literal->text));
    } else {
      // An alias is visible in GROUP BY only by itself.
      scope.sees_aliases = expr.kind == sql::ExprKind::kPath;
      LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Expr(expr, scope));
      scope.sees_aliases = true;
      if (rolled_up && !key.nullable)
        return Unsupported(expr.span,
                           "ROLLUP and CUBE of a value that is never NULL: subtotals would have its default");
      out.group_by.push_back(ByName(std::move(key.expr), scope));
    }
    out.group_by.back()->span = expr.span;
    return absl::OkStatus();
  };
  for (const sql::GroupItem& item : group_by.items) {
    using Kind = sql::GroupItem::Kind;
    if (item.kind == Kind::kExpr && item.expr != nullptr) {
      LOGQUERY_RETURN_IF_ERROR(add(*item.expr, false));
      continue;
    }
    const bool one = group_by.items.size() == 1 && (item.kind == Kind::kRollup || item.kind == Kind::kCube);
    if (!one) return Unsupported(item.span, "GROUPING SETS, and ROLLUP or CUBE beside other keys");
    out.grouping = item.kind == Kind::kRollup ? ch::Grouping::kRollup : ch::Grouping::kCube;
    for (const std::vector<sql::ExprPtr>& list : item.lists) {
      if (list.size() != 1) return Unsupported(item.span, "ROLLUP and CUBE of lists of columns");
      LOGQUERY_RETURN_IF_ERROR(add(*list[0], true));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ch::OrderItem> ToClickHouse::Order(const sql::OrderItem& item, const Scope& scope) {
  if (item.collate != nullptr) return Unsupported(item.collate->span, "COLLATE");
  ch::OrderItem order;
  order.descending = item.descending;
  bool nullable = true;
  const auto* literal = sql::If<sql::Literal>(item.expr.get());
  if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
    order.value = ch::MakeNumber(literal->text);
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*item.expr, scope));
    nullable = value.nullable;
    order.value = ByName(std::move(value.expr), scope);
  }
  order.value->span = item.expr->span;
  const bool first =
      item.nulls == sql::NullsOrder::kFirst || (item.nulls == sql::NullsOrder::kDefault && !item.descending);
  if (nullable && first) {
    order.nulls_first = true;
    Note(item.expr->span, "ClickHouse orders NULL last; NULLS FIRST keeps BigQuery's order");
  }
  return order;
}

absl::StatusOr<ToClickHouse::Rows> ToClickHouse::SelectRows(const sql::Select& select, const sql::Query* query,
                                                            const Scope* outer) {
  if (select.as != sql::Select::As::kRow) return Unsupported(select.span, "SELECT AS STRUCT and AS VALUE");
  Scope scope;
  scope.outer = outer;
  scope.windows = &select.windows;
  scope.grouped = select.group_by && (select.group_by->all || !select.group_by->items.empty());
  Rows rows;
  rows.query = std::make_unique<ch::Query>();
  rows.query->parts.emplace_back();
  rows.query->parts[0].select = std::make_unique<ch::Select>();
  ch::Select& out = *rows.query->parts[0].select;
  out.span = select.span;
  out.distinct = select.distinct;
  NameItems(select.items, scope);
  if (select.from != nullptr) {
    scope.sources.reserve(kMaxSources);
    LOGQUERY_ASSIGN_OR_RETURN(out.from, From(*select.from, scope));
    out.array_join = std::move(scope.array_join);
  }
  LOGQUERY_RETURN_IF_ERROR(AddWhere(select, scope, out));
  LOGQUERY_RETURN_IF_ERROR(AddItems(select.items, scope, rows));
  scope.sees_aliases = true;
  if (select.group_by) LOGQUERY_RETURN_IF_ERROR(AddGroupBy(*select.group_by, scope, out));
  if (select.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue having, Expr(*select.having, scope, Use::kCondition));
    out.having = std::move(having.expr);
    out.having->span = select.having->span;
  }
  if (select.qualify != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue qualify, Expr(*select.qualify, scope, Use::kCondition));
    out.qualify = std::move(qualify.expr);
    out.qualify->span = select.qualify->span;
  }
  if (query == nullptr) return rows;
  for (const sql::OrderItem& item : query->order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ch::OrderItem order, Order(item, scope));
    // An ordinal's NULLs are those of its column.
    const bool ordinal = order.value->kind == ch::ExprKind::kNumber;
    const size_t place = ordinal ? static_cast<size_t>(std::atoll(order.value->text.c_str())) : 0;
    if (ordinal && place >= 1 && place <= rows.columns.size() && !rows.columns[place - 1].nullable)
      order.nulls_first.reset();
    out.order_by.push_back(std::move(order));
  }
  LOGQUERY_RETURN_IF_ERROR(AddLimit(query->limit.get(), query->offset.get(), out));
  return rows;
}

}  // namespace logquery::tools
