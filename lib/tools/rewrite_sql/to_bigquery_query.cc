// Queries and SELECTs. Aliases, which ClickHouse reads anywhere, are named where GoogleSQL allows it, and written out
// elsewhere.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/sql/text_error.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

bool HasWindow(const ch::Expr& expr) {
  return expr.over != nullptr ||
         std::any_of(expr.args.begin(), expr.args.end(), [](const ch::ExprPtr& arg) { return HasWindow(*arg); });
}

bool HasWindows(const ch::Select& select) {
  return std::any_of(select.items.begin(), select.items.end(),
                     [](const ch::ExprPtr& item) { return HasWindow(*item); }) ||
         (select.qualify != nullptr && HasWindow(*select.qualify));
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

std::string ToBigQuery::Indented(int indent, std::string_view text) {
  return StrCat(std::string(static_cast<size_t>(indent) * 2, ' '), text);
}

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
  const bool whole_map = item.kind == ch::ExprKind::kName && TypeOf(item).Is(ch::ChKind::kMap) &&
                         item.path.back() == "log_attributes" && !scope.grouped;
  const absl::StatusOr<BqValue> made = whole_map ? WholeMap(item, scope) : Value(item, scope);
  scope.open.erase(item.alias);
  LOGQUERY_RETURN_IF_ERROR(made.status());
  BqValue value = *made;
  if (!scope.subtotals.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(value, SubtotalItem(item, value, scope));
  }
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
  const bool none = std::any_of(scope.sources.begin(), scope.sources.end(), [](const Source& s) { return s.empty; });
  if (none) parts.emplace_back("FALSE");
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
  std::string text;
  bool nullable = true;
  const ch::Expr& by = *item.value;
  const auto place = by.kind == ch::ExprKind::kName ? scope.ordinals.find(by.path.back()) : scope.ordinals.end();
  if (place != scope.ordinals.end() && !scope.listed.contains(by.path.back())) {
    text = StrCat(place->second);
    nullable = TypeOf(by).nullable;
  } else if (by.kind == ch::ExprKind::kNumber) {
    text = item.value->text;
  } else {
    scope.names_aliases = true;
    absl::StatusOr<BqValue> value = Value(*item.value, scope);
    scope.names_aliases = false;
    LOGQUERY_RETURN_IF_ERROR(value.status());
    text = value->text;
    nullable = value->nullable;
  }
  // NaN goes where NULL goes in ClickHouse, and is the least number in BigQuery.
  const bool nan = item.value->kind != ch::ExprKind::kNumber && MayBeNan(*item.value, scope);
  if (nan && item.nulls_first.value_or(false))
    return Unsupported(item.value->span, "NULLS FIRST of a float that may be nan");
  if (nan && !item.descending) {
    Note(item.value->span, "nan is last in ClickHouse's order, and first in BigQuery's");
    text = nullable ? StrCat("IFNULL(IS_NAN(", text, "), TRUE), ", text) : StrCat("IS_NAN(", text, "), ", text);
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

absl::StatusOr<std::vector<std::string>> ToBigQuery::OrderTexts(const ch::Select& select, Scope& scope) {
  std::vector<std::string> order;
  for (const ch::OrderItem& item : select.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, OrderText(item, scope));
    order.push_back(std::move(text));
  }
  if (!select.order_by_all) return order;
  for (size_t i = 0; i < select.items.size(); ++i) {
    const bool nullable = TypeOf(*select.items[i]).nullable && !select.order_all_descending;
    order.push_back(StrCat(i + 1, select.order_all_descending ? " DESC" : "", nullable ? " NULLS LAST" : ""));
  }
  return order;
}

// LIMIT n BY keys takes the first n rows of each key, LIMIT n WITH TIES also those that are equal to the n-th.
absl::StatusOr<std::string> ToBigQuery::RankText(const ch::Select& select, const std::vector<std::string>& order,
                                                 Scope& scope) {
  if (select.limit_by.empty() && !select.with_ties) return std::string();
  const sql::Span span = select.limit_by.empty() ? select.span : select.limit_by[0]->span;
  const bool ordinal = std::any_of(select.order_by.begin(), select.order_by.end(),
                                   [](const ch::OrderItem& item) { return item.value->kind == ch::ExprKind::kNumber; });
  if (ordinal || select.order_by_all) return Unsupported(span, "LIMIT BY and WITH TIES with ORDER BY of ordinals");
  if (select.qualify != nullptr || select.distinct || (select.with_ties && !select.limit_by.empty()))
    return Unsupported(span, "LIMIT BY and WITH TIES beside each other, QUALIFY or DISTINCT");
  const std::string sorted = order.empty() ? "" : StrCat("ORDER BY ", base::Join(order, ", "));
  if (select.with_ties) {
    if (select.offset != nullptr || select.limit == nullptr || select.limit->kind != ch::ExprKind::kNumber)
      return Unsupported(span, "WITH TIES with OFFSET, or of no literal");
    return StrCat("RANK() OVER (", sorted, ") <= ", select.limit->text);
  }
  std::vector<std::string> keys;
  scope.names_aliases = true;
  for (const ch::ExprPtr& key : select.limit_by) {
    const absl::StatusOr<BqValue> value =
        key->kind == ch::ExprKind::kNumber ? Unsupported(key->span, "LIMIT BY of an ordinal") : Value(*key, scope);
    if (!value.ok()) scope.names_aliases = false;
    LOGQUERY_RETURN_IF_ERROR(value.status());
    keys.push_back(value->text);
  }
  scope.names_aliases = false;
  int64_t bounds[2] = {0, 0};
  const ch::ExprPtr* const counts[2] = {&select.limit_by_offset, &select.limit_by_count};
  for (size_t i = 0; i < 2; ++i) {
    if (*counts[i] == nullptr) continue;
    if ((*counts[i])->kind != ch::ExprKind::kNumber) return Unsupported(span, "LIMIT BY of no literal");
    bounds[i] = std::atoll((*counts[i])->text.c_str());
  }
  Note(span, "LIMIT BY is written as QUALIFY ROW_NUMBER()");
  const std::string row =
      StrCat("ROW_NUMBER() OVER (PARTITION BY ", base::Join(keys, ", "), sorted.empty() ? "" : " ", sorted, ")");
  if (bounds[0] == 0) return StrCat(row, " <= ", bounds[1]);
  return StrCat(row, " BETWEEN ", bounds[0] + 1, " AND ", bounds[0] + bounds[1]);
}

// ARRAY JOIN list AS x: each element in a row of its own.
absl::Status ToBigQuery::JoinLists(const ch::Select& select, Scope& scope) {
  if (select.array_join.empty()) return absl::OkStatus();
  if (select.left_array_join || select.array_join.size() > 1)
    return Unsupported(select.array_join[0]->span, "LEFT ARRAY JOIN, and ARRAY JOIN of several lists");
  const ch::Expr& list = *select.array_join[0];
  if (list.alias.empty()) return Unsupported(list.span, "ARRAY JOIN without an alias");
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue element, Elements(list, list.alias, list.span, scope));
  if (element.text != sql::QuoteIdentifier(list.alias))
    return Unsupported(list.alias_span, StrCat("ARRAY JOIN with the alias ", list.alias, ", which is another column"));
  scope.parameters[list.alias] = list.alias;
  return absl::OkStatus();
}

absl::StatusOr<std::string> ToBigQuery::SelectText(const ch::Select& select, int indent) {
  for (const ch::OrderItem& item : select.order_by) {
    if (item.with_fill) return FilledText(select, indent);
  }
  return RowsText(select, indent, /*with_order=*/true);
}

absl::StatusOr<std::string> ToBigQuery::RowsText(const ch::Select& select, int indent, bool with_order) {
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
  Scope scope;
  for (const auto& [name, value] : values_) scope.aliases[name] = value;
  for (const ch::ExprPtr& item : select.items) {
    if (item->alias.empty()) continue;
    scope.aliases[item->alias] = item.get();
    scope.listed.insert(item->alias);
  }
  scope.grouped = select.grouping != ch::Grouping::kNone;
  scope.has_windows = HasWindows(select);
  std::string from;
  if (select.from != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(from, FromText(select, scope, indent));
  }
  LOGQUERY_RETURN_IF_ERROR(JoinLists(select, scope));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string where, WhereText(select, scope));
  std::string keys;
  const bool subtotals = select.grouping == ch::Grouping::kRollup || select.grouping == ch::Grouping::kCube;
  if (subtotals) {
    LOGQUERY_ASSIGN_OR_RETURN(keys, SubtotalsText(select, scope));
  }
  std::vector<std::string> items, columns;
  for (const ch::ExprPtr& item : select.items) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, ItemText(*item, scope, columns));
    items.push_back(std::move(text));
  }
  lines.push_back(Indented(indent, StrCat(select.distinct ? "SELECT DISTINCT " : "SELECT ", base::Join(items, ", "))));
  std::vector<std::string> tail;
  if (!where.empty()) tail.push_back(StrCat("WHERE ", where));
  if (scope.grouped) {
    if (!subtotals) {
      LOGQUERY_ASSIGN_OR_RETURN(keys, GroupText(select, scope));
    }
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
  if (with_order) {
    LOGQUERY_ASSIGN_OR_RETURN(order, OrderTexts(select, scope));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string rank, RankText(select, order, scope));
  if (!rank.empty()) tail.push_back(StrCat("QUALIFY ", rank));
  if (!order.empty()) tail.push_back(StrCat("ORDER BY ", base::Join(order, ", ")));
  for (const auto& [clause, count] : {std::pair("LIMIT ", &select.limit), std::pair("OFFSET ", &select.offset)}) {
    if (*count == nullptr || select.with_ties || !with_order) continue;
    if ((*count)->kind != ch::ExprKind::kNumber) return Unsupported((*count)->span, "LIMIT of no literal");
    if (select.limit == nullptr) return Unsupported((*count)->span, "OFFSET without LIMIT");
    tail.push_back(StrCat(clause, (*count)->text));
  }
  // FROM last: the UNNESTs that the other clauses needed are known now.
  std::string joins;
  if (scope.sources.size() == 1) {
    for (const std::string& join : scope.sources[0].joins) joins += StrCat("\n", Indented(indent, join));
  }
  for (const std::string& list : scope.list_joins) {
    if (from.empty()) {
      from = list;
    } else {
      joins += StrCat("\n", Indented(indent, StrCat("CROSS JOIN ", list)));
    }
  }
  if (!from.empty()) lines.push_back(Indented(indent, StrCat("FROM ", from, joins)));
  for (const std::string& line : tail) lines.push_back(Indented(indent, line));
  entries_ = saved_entries;
  values_ = saved_values;
  last_columns_ = std::move(columns);
  return base::Join(lines, "\n");
}

}  // namespace logquery::tools
