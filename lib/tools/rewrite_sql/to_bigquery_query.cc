// Queries and SELECTs. Aliases, which ClickHouse reads anywhere, are named where GoogleSQL allows it, and written out
// elsewhere.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/sql/text_error.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

std::string Indented(int indent, std::string_view text) {
  return StrCat(std::string(static_cast<size_t>(indent) * 2, ' '), text);
}

std::string PlainName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (letter) plain += c;
  }
  return plain.empty() || (plain[0] >= '0' && plain[0] <= '9') ? StrCat("c", plain) : plain;
}

}  // namespace

absl::Status ToBigQuery::Unsupported(sql::Span place, std::string_view message) const {
  return sql::TextErrorWithCode(absl::StatusCode::kUnimplemented, text_, place,
                                StrCat("can't be rewritten as BigQuery SQL: ", message));
}

ch::ChType ToBigQuery::TypeOf(const ch::Expr& expr) const {
  const auto found = types_.find(&expr);
  return found == types_.end() ? ch::NothingType() : found->second;
}

absl::StatusOr<std::string> ToBigQuery::Rewrite(const ch::Query& query) { return QueryText(query, 0); }

absl::StatusOr<std::string> ToBigQuery::QueryText(const ch::Query& query, int indent) {
  std::string text;
  std::vector<std::string> columns;
  for (size_t i = 0; i < query.parts.size(); ++i) {
    const ch::Query::Part& part = query.parts[i];
    if (i > 0) {
      if (i > 1 && part.distinct != query.parts[1].distinct)
        return Unsupported(part.operator_span, "UNION ALL beside UNION DISTINCT");
      text += StrCat("\n", Indented(indent, part.distinct ? "UNION DISTINCT" : "UNION ALL"), "\n");
    }
    const bool has_tail = part.select != nullptr && query.parts.size() > 1 &&
                          (!part.select->order_by.empty() || part.select->limit != nullptr ||
                           part.select->offset != nullptr || !part.select->with.empty());
    std::string select;
    const bool parens = part.query != nullptr || has_tail;
    const int inner = parens ? indent + 1 : indent;
    if (part.query != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(select, QueryText(*part.query, inner));
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(select, SelectText(*part.select, inner));
    }
    text += parens ? StrCat(Indented(indent, "("), "\n", select, "\n", Indented(indent, ")")) : select;
    if (i == 0) columns = last_columns_;
  }
  last_columns_ = std::move(columns);
  return text;
}

absl::StatusOr<std::string> ToBigQuery::ItemText(const ch::Expr& item, Scope& scope,
                                                 std::vector<std::string>& columns) {
  if (item.kind == ch::ExprKind::kStar) return Unsupported(item.span, "*; name the columns");
  // Inside of its own expression an alias is the column.
  scope.open.insert(item.alias);
  const absl::StatusOr<BqValue> made = Value(item, scope);
  scope.open.erase(item.alias);
  LOGQUERY_RETURN_IF_ERROR(made.status());
  const BqValue& value = *made;
  std::string name = item.alias;
  if (name.empty()) {
    const bool is_name = item.kind == ch::ExprKind::kName;
    name = is_name ? item.path.back()
                   : PlainName(std::string(text_.substr(item.span.begin, item.span.end - item.span.begin)));
    if (!is_name)
      Note(item.span,
           "a column without a name is called as its expression in ClickHouse, which is no name in BigQuery");
  }
  columns.push_back(name);
  const std::string quoted = sql::QuoteIdentifier(name);
  if (value.text == quoted) return value.text;
  return StrCat(value.text, " AS ", quoted);
}

absl::StatusOr<std::string> ToBigQuery::WhereText(const ch::Select& select, Scope& scope) {
  std::vector<std::string> parts;
  for (const ch::ExprPtr* condition : {&select.prewhere, &select.where}) {
    if (*condition == nullptr) continue;
    std::vector<const ch::Expr*> conjuncts;
    const bool is_and = (*condition)->kind == ch::ExprKind::kCall && (*condition)->text == "and";
    if (is_and) {
      for (const ch::ExprPtr& arg : (*condition)->args) conjuncts.push_back(arg.get());
    } else {
      conjuncts.push_back(condition->get());
    }
    for (const ch::Expr* conjunct : conjuncts) {
      // The log is FROM's table.
      if (conjunct == scope.picks_log) continue;
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Condition(*conjunct, scope));
      parts.push_back(In(value, Binds::kNot));
    }
  }
  return base::Join(parts, " AND ");
}

absl::StatusOr<std::string> ToBigQuery::GroupText(const ch::Select& select, Scope& scope) {
  if (select.grouping == ch::Grouping::kAll) return std::string("ALL");
  if (select.grouping != ch::Grouping::kKeys)
    return Unsupported(select.group_by[0]->span, "ROLLUP and CUBE, whose subtotals have defaults in ClickHouse");
  std::vector<std::string> keys;
  for (const ch::ExprPtr& key : select.group_by) {
    if (key->kind == ch::ExprKind::kNumber) {
      keys.push_back(key->text);
      continue;
    }
    const bool alias = key->kind == ch::ExprKind::kName && key->path.size() == 1 && scope.listed.contains(key->path[0]);
    if (alias) {
      keys.push_back(sql::QuoteIdentifier(key->path[0]));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*key, scope));
    keys.push_back(value.text);
  }
  return base::Join(keys, ", ");
}

absl::StatusOr<std::string> ToBigQuery::OrderText(const ch::OrderItem& item, Scope& scope) {
  if (item.with_fill) return Unsupported(item.value->span, "WITH FILL");
  std::string text;
  bool nullable = true;
  if (item.value->kind == ch::ExprKind::kNumber) {
    text = item.value->text;
  } else {
    scope.names_aliases = true;
    absl::StatusOr<BqValue> value = Value(*item.value, scope);
    scope.names_aliases = false;
    LOGQUERY_RETURN_IF_ERROR(value.status());
    text = value->text;
    nullable = value->nullable;
  }
  if (item.descending) text += " DESC";
  const bool first = item.nulls_first.value_or(false);
  if (nullable && first && item.descending) text += " NULLS FIRST";
  if (nullable && !first && !item.descending) {
    text += " NULLS LAST";
    Note(item.value->span, "BigQuery orders NULL first; NULLS LAST keeps ClickHouse's order");
  }
  return text;
}

absl::StatusOr<std::string> ToBigQuery::SelectText(const ch::Select& select, int indent) {
  const auto saved_entries = entries_;
  const auto saved_values = values_;
  std::vector<std::string> lines;
  std::vector<std::string> entries;
  for (const ch::WithItem& item : select.with) {
    if (item.query == nullptr) {
      values_[item.name] = item.value.get();
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(const std::string query, QueryText(*item.query, indent + 1));
    entries.push_back(StrCat(sql::QuoteIdentifier(item.name), " AS (\n", query, "\n", Indented(indent, ")")));
    entries_[item.name] = last_columns_;
  }
  if (!entries.empty()) lines.push_back(Indented(indent, StrCat("WITH ", base::Join(entries, ", "))));
  if (!select.array_join.empty()) return Unsupported(select.array_join[0]->span, "ARRAY JOIN");
  if (!select.limit_by.empty()) return Unsupported(select.limit_by[0]->span, "LIMIT BY; write QUALIFY ROW_NUMBER()");
  if (select.with_ties) return Unsupported(select.span, "LIMIT WITH TIES");
  if (select.order_by_all) return Unsupported(select.span, "ORDER BY ALL");
  Scope scope;
  for (const auto& [name, value] : values_) scope.aliases[name] = value;
  for (const ch::ExprPtr& item : select.items) {
    if (item->alias.empty()) continue;
    scope.aliases[item->alias] = item.get();
    scope.listed.insert(item->alias);
  }
  scope.grouped = select.grouping != ch::Grouping::kNone;
  std::string from;
  if (select.from != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(from, FromText(select, scope, indent));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string where, WhereText(select, scope));
  std::vector<std::string> items, columns;
  for (const ch::ExprPtr& item : select.items) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, ItemText(*item, scope, columns));
    items.push_back(std::move(text));
  }
  lines.push_back(Indented(indent, StrCat(select.distinct ? "SELECT DISTINCT " : "SELECT ", base::Join(items, ", "))));
  std::vector<std::string> tail;
  if (!where.empty()) tail.push_back(StrCat("WHERE ", where));
  if (scope.grouped) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string keys, GroupText(select, scope));
    tail.push_back(StrCat("GROUP BY ", keys));
  }
  for (const auto& [clause, condition] :
       {std::pair("HAVING ", &select.having), std::pair("QUALIFY ", &select.qualify)}) {
    if (*condition == nullptr) continue;
    scope.names_aliases = true;
    absl::StatusOr<BqValue> value = Condition(**condition, scope);
    scope.names_aliases = false;
    LOGQUERY_RETURN_IF_ERROR(value.status());
    tail.push_back(StrCat(clause, value->text));
  }
  std::vector<std::string> order;
  for (const ch::OrderItem& item : select.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, OrderText(item, scope));
    order.push_back(std::move(text));
  }
  if (!order.empty()) tail.push_back(StrCat("ORDER BY ", base::Join(order, ", ")));
  for (const auto& [clause, count] : {std::pair("LIMIT ", &select.limit), std::pair("OFFSET ", &select.offset)}) {
    if (*count == nullptr) continue;
    if ((*count)->kind != ch::ExprKind::kNumber) return Unsupported((*count)->span, "LIMIT of no literal");
    if (select.limit == nullptr) return Unsupported((*count)->span, "OFFSET without LIMIT");
    tail.push_back(StrCat(clause, (*count)->text));
  }
  // FROM last: the UNNESTs that the other clauses needed are known now.
  if (!from.empty()) {
    std::string joins;
    if (scope.sources.size() == 1) {
      for (const std::string& join : scope.sources[0].joins) joins += StrCat("\n", Indented(indent, join));
    }
    lines.push_back(Indented(indent, StrCat("FROM ", from, joins)));
  }
  for (const std::string& line : tail) lines.push_back(Indented(indent, line));
  entries_ = saved_entries;
  values_ = saved_values;
  last_columns_ = std::move(columns);
  return base::Join(lines, "\n");
}

}  // namespace logquery::tools
