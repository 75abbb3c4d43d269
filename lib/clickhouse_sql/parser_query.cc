// SELECT with its clauses, FROM with its joins, and unions.
#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser_impl.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

bool IsReserved(std::string_view word) {
  constexpr std::array<std::string_view, 63> kWords = {
      "ALL",      "AND",      "ANTI",     "ANY",     "ARRAY",     "AS",         "ASC",      "ASCENDING", "ASOF",
      "BETWEEN",  "BY",       "CASE",     "CROSS",   "DESC",      "DESCENDING", "DISTINCT", "DIV",       "ELSE",
      "END",      "EXCEPT",   "FETCH",    "FINAL",   "FORMAT",    "FROM",       "FULL",     "GLOBAL",    "GROUP",
      "HAVING",   "ILIKE",    "IN",       "INNER",   "INTERSECT", "INTO",       "IS",       "JOIN",      "LEFT",
      "LIKE",     "LIMIT",    "MOD",      "NOT",     "NULLS",     "OFFSET",     "ON",       "OR",        "ORDER",
      "OVER",     "PARALLEL", "PREWHERE", "QUALIFY", "REGEXP",    "RIGHT",      "SAMPLE",   "SELECT",    "SEMI",
      "SETTINGS", "THEN",     "UNION",    "USING",   "WHEN",      "WHERE",      "WINDOW",   "WITH",      "INTERPOLATE"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view known) { return base::EqualsIgnoreCase(known, word); });
}

absl::StatusOr<std::vector<ExprPtr>> Parser::ParseExprs() {
  std::vector<ExprPtr> exprs;
  do {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr expr, ParseAliased());
    exprs.push_back(std::move(expr));
  } while (TakeSymbol(","));
  return exprs;
}

absl::StatusOr<QueryPtr> Parser::ParseUnion() {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  auto query = std::make_unique<Query>();
  const uint32_t begin = Peek().span.begin;
  LOGQUERY_ASSIGN_OR_RETURN(Query::Part first, ParsePart());
  query->parts.push_back(std::move(first));
  while (IsWord("UNION")) {
    const Span span = Take().span;
    const bool distinct = TakeWord("DISTINCT");
    if (!distinct && !TakeWord("ALL")) return Error(span, "write UNION ALL or UNION DISTINCT");
    LOGQUERY_ASSIGN_OR_RETURN(Query::Part part, ParsePart());
    part.distinct = distinct;
    part.operator_span = span;
    query->parts.push_back(std::move(part));
  }
  query->span = Since(begin);
  return query;
}

absl::StatusOr<Query::Part> Parser::ParsePart() {
  Query::Part part;
  if (TakeSymbol("(")) {
    LOGQUERY_ASSIGN_OR_RETURN(part.query, ParseUnion());
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
    return part;
  }
  LOGQUERY_ASSIGN_OR_RETURN(part.select, ParseSelect());
  return part;
}

absl::StatusOr<SelectPtr> Parser::ParseSelect() {
  if (++selects_ > limits_.max_selects) {
    return Error(Peek().span, StrCat("the query has more than max_selects, ", limits_.max_selects, " SELECTs"));
  }
  auto select = std::make_unique<Select>();
  const uint32_t begin = Peek().span.begin;
  LOGQUERY_RETURN_IF_ERROR(ParseWith(*select));
  LOGQUERY_RETURN_IF_ERROR(WantWord("SELECT"));
  select->distinct = TakeWord("DISTINCT");
  LOGQUERY_RETURN_IF_ERROR(ParseItems(*select));
  if (TakeWord("FROM")) {
    LOGQUERY_ASSIGN_OR_RETURN(select->from, ParseFrom());
    LOGQUERY_RETURN_IF_ERROR(RefuseTail());
    LOGQUERY_RETURN_IF_ERROR(ParseArrayJoin(*select));
  }
  LOGQUERY_RETURN_IF_ERROR(ParseFilters(*select));
  LOGQUERY_RETURN_IF_ERROR(ParseGroupBy(*select));
  if (TakeWord("HAVING")) {
    LOGQUERY_ASSIGN_OR_RETURN(select->having, ParseExpr());
  }
  if (TakeWord("QUALIFY")) {
    LOGQUERY_ASSIGN_OR_RETURN(select->qualify, ParseExpr());
  }
  LOGQUERY_RETURN_IF_ERROR(ParseOrderBy(*select));
  LOGQUERY_RETURN_IF_ERROR(ParseLimits_(*select));
  LOGQUERY_RETURN_IF_ERROR(RefuseTail());
  select->span = Since(begin);
  return select;
}

// WITH name AS (SELECT …), expr AS name.
absl::Status Parser::ParseWith(Select& select) {
  if (!TakeWord("WITH")) return absl::OkStatus();
  if (IsWord("RECURSIVE")) return Error(Peek().span, "WITH RECURSIVE is not supported");
  do {
    if (static_cast<int>(select.with.size()) >= limits_.max_ctes) {
      return Error(Peek().span, StrCat("WITH has more than max_ctes, ", limits_.max_ctes, " entries"));
    }
    WithItem item;
    item.span = Peek().span;
    const bool is_name = Peek().kind == TokenKind::kName || Peek().kind == TokenKind::kQuotedName;
    if (is_name && IsWord("AS", 1) && IsSymbol("(", 2)) {
      item.name = Take().text;
      at_ += 2;
      LOGQUERY_ASSIGN_OR_RETURN(item.query, ParseUnion());
      LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(item.value, ParseExpr());
      LOGQUERY_RETURN_IF_ERROR(WantWord("AS"));
      item.span = Peek().span;
      LOGQUERY_ASSIGN_OR_RETURN(item.name, WantName("a name"));
    }
    select.with.push_back(std::move(item));
  } while (TakeSymbol(","));
  return absl::OkStatus();
}

absl::Status Parser::ParseItems(Select& select) {
  do {
    if (static_cast<int>(select.items.size()) >= limits_.max_columns) {
      return Error(Peek().span, StrCat("SELECT has more than max_columns, ", limits_.max_columns, " items"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr item, ParseAliased());
    select.items.push_back(std::move(item));
  } while (TakeSymbol(","));
  return absl::OkStatus();
}

absl::Status Parser::ParseFilters(Select& select) {
  if (TakeWord("PREWHERE")) {
    LOGQUERY_ASSIGN_OR_RETURN(select.prewhere, ParseExpr());
  }
  if (TakeWord("WHERE")) {
    LOGQUERY_ASSIGN_OR_RETURN(select.where, ParseExpr());
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseGroupBy(Select& select) {
  if (!TakeWords({"GROUP", "BY"})) return absl::OkStatus();
  if (TakeWord("ALL")) {
    select.grouping = Grouping::kAll;
    return absl::OkStatus();
  }
  select.grouping = Grouping::kKeys;
  const bool rollup = IsWord("ROLLUP") && IsSymbol("(", 1);
  const bool cube = IsWord("CUBE") && IsSymbol("(", 1);
  if (IsWord("GROUPING")) return Error(Peek().span, "GROUPING SETS is not supported; write ROLLUP or CUBE");
  if (rollup || cube) at_ += 2;
  LOGQUERY_ASSIGN_OR_RETURN(select.group_by, ParseExprs());
  if (rollup || cube) LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  if (rollup || TakeWords({"WITH", "ROLLUP"})) select.grouping = Grouping::kRollup;
  if (cube || TakeWords({"WITH", "CUBE"})) select.grouping = Grouping::kCube;
  if (IsWord("WITH") && IsWord("TOTALS", 1)) return Error(Peek().span, "WITH TOTALS is not allowed here");
  return absl::OkStatus();
}

absl::Status Parser::ParseOrderBy(Select& select) {
  if (!TakeWords({"ORDER", "BY"})) return absl::OkStatus();
  if (TakeWord("ALL")) {
    select.order_by_all = true;
    select.order_all_descending = TakeWord("DESC");
    TakeWord("ASC");
    return absl::OkStatus();
  }
  do {
    LOGQUERY_ASSIGN_OR_RETURN(OrderItem item, ParseOrderItem());
    select.order_by.push_back(std::move(item));
  } while (TakeSymbol(","));
  return absl::OkStatus();
}

absl::StatusOr<OrderItem> Parser::ParseOrderItem() {
  OrderItem item;
  LOGQUERY_ASSIGN_OR_RETURN(item.value, ParseExpr());
  item.descending = TakeWord("DESC") || TakeWord("DESCENDING");
  if (!item.descending && !TakeWord("ASC")) TakeWord("ASCENDING");
  if (TakeWord("NULLS")) {
    item.nulls_first = IsWord("FIRST");
    if (!TakeWord("FIRST") && !TakeWord("LAST")) return Unexpected("FIRST or LAST");
  }
  if (IsWord("COLLATE")) return Error(Peek().span, "COLLATE is not supported");
  if (IsWord("WITH") && IsWord("FILL", 1)) {
    at_ += 2;
    LOGQUERY_RETURN_IF_ERROR(ParseFill(item));
  }
  return item;
}

absl::Status Parser::ParseFill(OrderItem& item) {
  item.with_fill = true;
  if (TakeWord("FROM")) {
    LOGQUERY_ASSIGN_OR_RETURN(item.fill_from, ParseExpr());
  }
  if (TakeWord("TO")) {
    LOGQUERY_ASSIGN_OR_RETURN(item.fill_to, ParseExpr());
  }
  if (TakeWord("STEP")) {
    LOGQUERY_ASSIGN_OR_RETURN(item.fill_step, ParseExpr());
  }
  return absl::OkStatus();
}

// [LIMIT [m,] n [OFFSET m] BY …] [LIMIT [m,] n [OFFSET m] [WITH TIES]] [OFFSET m].
absl::Status Parser::ParseLimits_(Select& select) {
  while (TakeWord("LIMIT")) {
    const Span span = Peek().span;
    ExprPtr count, offset;
    LOGQUERY_ASSIGN_OR_RETURN(count, ParseExpr());
    if (TakeSymbol(",")) {
      offset = std::move(count);
      LOGQUERY_ASSIGN_OR_RETURN(count, ParseExpr());
    } else if (TakeWord("OFFSET")) {
      LOGQUERY_ASSIGN_OR_RETURN(offset, ParseExpr());
    }
    if (TakeWord("BY")) {
      if (!select.limit_by.empty() || select.limit != nullptr)
        return Error(span, "LIMIT … BY must stand once, before LIMIT");
      select.limit_by_count = std::move(count);
      select.limit_by_offset = std::move(offset);
      LOGQUERY_ASSIGN_OR_RETURN(select.limit_by, ParseExprs());
      continue;
    }
    if (select.limit != nullptr) return Error(span, "a second LIMIT");
    select.limit = std::move(count);
    select.offset = std::move(offset);
    select.with_ties = TakeWords({"WITH", "TIES"});
  }
  if (select.offset == nullptr && TakeWord("OFFSET")) {
    LOGQUERY_ASSIGN_OR_RETURN(select.offset, ParseExpr());
    if (!TakeWord("ROWS")) TakeWord("ROW");
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseArrayJoin(Select& select) {
  const bool left = IsWord("LEFT") && IsWord("ARRAY", 1);
  if (!left && !(IsWord("ARRAY") && IsWord("JOIN", 1))) return absl::OkStatus();
  at_ += left ? 3 : 2;
  select.left_array_join = left;
  LOGQUERY_ASSIGN_OR_RETURN(select.array_join, ParseExprs());
  return absl::OkStatus();
}

absl::StatusOr<FromPtr> Parser::ParseFrom() {
  LOGQUERY_ASSIGN_OR_RETURN(FromPtr from, ParseTable());
  while (true) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool more, ParseJoin(from));
    if (!more) return from;
  }
}

absl::StatusOr<FromPtr> Parser::ParseTable() {
  auto table = std::make_unique<From>();
  const uint32_t begin = Peek().span.begin;
  if (TakeSymbol("(")) {
    table->kind = From::Kind::kSubquery;
    LOGQUERY_RETURN_IF_ERROR(RefuseStatement());
    LOGQUERY_ASSIGN_OR_RETURN(table->query, ParseUnion());
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  } else {
    if (Peek().kind == TokenKind::kName && IsReserved(Peek().text)) return Unexpected("a table");
    LOGQUERY_ASSIGN_OR_RETURN(table->name, WantName("a table"));
    while (TakeSymbol(".")) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string name, WantName("a table"));
      return Error(Since(begin), StrCat("the table ", table->name, ".", name, " is not allowed here; write FROM logs"));
    }
    if (IsSymbol("(")) {
      return Error(Since(begin), StrCat("the table function ", table->name, " is not allowed; write FROM logs"));
    }
  }
  LOGQUERY_RETURN_IF_ERROR(ParseTableAlias(*table));
  table->span = Since(begin);
  return table;
}

absl::Status Parser::ParseTableAlias(From& table) {
  const bool as = TakeWord("AS");
  const Token& next = Peek();
  if (!as && next.kind != TokenKind::kQuotedName && (next.kind != TokenKind::kName || IsReserved(next.text))) {
    return absl::OkStatus();
  }
  LOGQUERY_ASSIGN_OR_RETURN(table.alias, WantName("an alias"));
  return absl::OkStatus();
}

absl::StatusOr<bool> Parser::ParseJoin(FromPtr& left) {
  using Join = From::Join;
  const size_t before = at_;
  const uint32_t begin = Peek().span.begin;
  auto join = std::make_unique<From>();
  join->kind = From::Kind::kJoin;
  bool is_join = true;
  TakeWord("GLOBAL");
  for (const std::string_view word : {"ANY", "SEMI", "ANTI", "ASOF"}) {
    if (IsWord(word)) return Error(Peek().span, StrCat(word, " JOIN is not supported"));
  }
  TakeWord("ALL");
  if (TakeSymbol(",") || TakeWords({"CROSS", "JOIN"})) {
    join->join = Join::kCross;
  } else if (TakeWords({"INNER", "JOIN"}) || TakeWord("JOIN")) {
    join->join = Join::kInner;
  } else if (TakeWords({"LEFT", "JOIN"}) || TakeWords({"LEFT", "OUTER", "JOIN"})) {
    join->join = Join::kLeft;
  } else if (TakeWords({"RIGHT", "JOIN"}) || TakeWords({"RIGHT", "OUTER", "JOIN"})) {
    join->join = Join::kRight;
  } else if (TakeWords({"FULL", "JOIN"}) || TakeWords({"FULL", "OUTER", "JOIN"})) {
    join->join = Join::kFull;
  } else {
    is_join = false;
  }
  if (!is_join) {
    if (IsWord("LEFT") && !IsWord("ARRAY", 1)) return Unexpected("LEFT JOIN");
    at_ = before;
    return false;
  }
  if (++joins_ > limits_.max_joins)
    return Error(Since(begin), StrCat("more than max_joins, ", limits_.max_joins, " joins"));
  LOGQUERY_ASSIGN_OR_RETURN(join->right, ParseTable());
  join->left = std::move(left);
  if (join->join != Join::kCross) {
    if (TakeWord("ON")) {
      LOGQUERY_ASSIGN_OR_RETURN(join->on, ParseExpr());
    } else {
      join->using_span = Peek().span;
      LOGQUERY_RETURN_IF_ERROR(WantWord("USING"));
      const bool parens = TakeSymbol("(");
      do {
        LOGQUERY_ASSIGN_OR_RETURN(std::string name, WantName("a column"));
        join->using_names.push_back(std::move(name));
      } while (TakeSymbol(","));
      if (parens) LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
    }
  }
  join->span = Since(begin);
  left = std::move(join);
  return true;
}

}  // namespace logquery::clickhouse_sql
