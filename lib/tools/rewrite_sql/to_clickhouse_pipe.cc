// Pipe syntax whose operators stand in the order of a SELECT's clauses: joins, WHERE, SELECT or AGGREGATE, ORDER BY, LIMIT.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

namespace {

std::string NameOf(const sql::GroupItem& item) {
  if (item.alias) return item.alias->text;
  const auto* path = sql::If<sql::PathExpr>(item.expr.get());
  return path == nullptr ? "" : path->names.back().text;
}

}  // namespace

// The names that AGGREGATE … GROUP BY … shows: the keys, then the aggregates.
absl::Status ToClickHouse::NameGroups(const sql::PipeOperator& pipe, Scope& scope) {
  for (const sql::SelectItem& item : pipe.items) {
    if (item.is_star || item.has_order) return Unsupported(item.span, "this item of AGGREGATE");
  }
  if (pipe.group_by) {
    if (pipe.group_by->all || pipe.group_by->and_order_by) return Unsupported(pipe.span, "this GROUP BY");
    for (const sql::GroupItem& item : pipe.group_by->items) {
      const bool plain = item.kind == sql::GroupItem::Kind::kExpr && item.expr != nullptr && !item.has_order;
      if (!plain || NameOf(item).empty()) return Unsupported(item.span, "a key of GROUP BY without a name");
      scope.items.push_back({NameOf(item), item.expr.get(), names_.SourceOf(*item.expr)});
    }
    scope.grouped = true;
  }
  NameItems(pipe.items, scope);
  return absl::OkStatus();
}

absl::Status ToClickHouse::AddGroups(const sql::PipeOperator& pipe, Scope& scope, Rows& rows) {
  ch::Select& out = *rows.query->parts[0].select;
  if (pipe.group_by) {
    out.grouping = ch::Grouping::kKeys;
    for (const sql::GroupItem& item : pipe.group_by->items) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Expr(*item.expr, scope));
      out.group_by.push_back(ch::MakeName(NameOf(item)));
      AddItem(NameOf(item), std::move(key), item.span, scope, rows);
    }
  }
  return AddItems(pipe.items, scope, rows);
}

absl::StatusOr<ToClickHouse::Rows> ToClickHouse::PipeRows(const sql::Query& query, const Scope* outer) {
  const auto refused = [&](const sql::PipeOperator& pipe) {
    return Unsupported(pipe.span,
                       "pipe operators in another order than joins, WHERE, SELECT or AGGREGATE, ORDER BY, LIMIT");
  };
  if (query.body->kind != sql::BodyKind::kFrom) return refused(query.pipes[0]);
  Scope scope;
  scope.outer = outer;
  scope.sources.reserve(kMaxSources);
  Rows rows;
  rows.query = std::make_unique<ch::Query>();
  rows.query->parts.emplace_back();
  rows.query->parts[0].select = std::make_unique<ch::Select>();
  ch::Select& out = *rows.query->parts[0].select;
  out.span = query.span;
  LOGQUERY_ASSIGN_OR_RETURN(out.from, From(*sql::As<sql::FromBody>(*query.body).from, scope));
  std::vector<const sql::Expr*> wheres;
  size_t at = 0;
  for (; at < query.pipes.size(); ++at) {
    const sql::PipeOperator& pipe = query.pipes[at];
    if (pipe.kind == sql::PipeKind::kJoin && wheres.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(out.from, JoinFrom(sql::As<sql::JoinItem>(*pipe.from), std::move(out.from), scope));
    } else if (pipe.kind == sql::PipeKind::kWhere) {
      wheres.push_back(pipe.expr.get());
    } else {
      break;
    }
  }
  if (at == query.pipes.size()) return refused(query.pipes.back());
  const sql::PipeOperator& list = query.pipes[at];
  const bool groups = list.kind == sql::PipeKind::kAggregate;
  const bool plain = list.kind == sql::PipeKind::kSelect && list.as == sql::Select::As::kRow && list.windows.empty();
  if (!groups && !plain) return refused(list);
  // Before WHERE: in ClickHouse an alias wins over a column there.
  if (plain) NameItems(list.items, scope);
  if (groups) LOGQUERY_RETURN_IF_ERROR(NameGroups(list, scope));
  LOGQUERY_RETURN_IF_ERROR(AddPresence(wheres.size() == 1 ? wheres[0] : nullptr, scope));
  std::vector<ch::ExprPtr> conditions = std::move(scope.conditions);
  for (const sql::Expr* where : wheres) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue condition, Expr(*where, scope, Use::kCondition));
    conditions.push_back(std::move(condition.expr));
  }
  if (!conditions.empty())
    out.where = conditions.size() == 1 ? std::move(conditions[0]) : ch::MakeCall("and", std::move(conditions));
  out.array_join = std::move(scope.array_join);
  out.distinct = plain && list.distinct;
  LOGQUERY_RETURN_IF_ERROR(groups ? AddGroups(list, scope, rows) : AddItems(list.items, scope, rows));
  scope.sees_aliases = true;
  bool limited = false;
  for (++at; at < query.pipes.size(); ++at) {
    const sql::PipeOperator& pipe = query.pipes[at];
    if (pipe.kind == sql::PipeKind::kOrderBy && out.order_by.empty() && !limited) {
      for (const sql::OrderItem& item : pipe.order_by) {
        const auto* path = sql::If<sql::PathExpr>(item.expr.get());
        if (path == nullptr || path->names.size() != 1)
          return Unsupported(item.expr->span, "ORDER BY of an expression after a pipe");
        LOGQUERY_ASSIGN_OR_RETURN(ch::OrderItem order, Order(item, scope));
        out.order_by.push_back(std::move(order));
      }
    } else if (pipe.kind == sql::PipeKind::kLimit && !limited) {
      limited = true;
      LOGQUERY_RETURN_IF_ERROR(AddLimit(pipe.limit.get(), pipe.offset.get(), out));
    } else {
      return refused(pipe);
    }
  }
  return rows;
}

}  // namespace logquery::tools
