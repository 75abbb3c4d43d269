// Parses SELECT: its list, its clauses, GROUP BY, WINDOW.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {

QueryBodyPtr Parser::ParseSelect() {
  const size_t first = at_;
  auto select = std::make_unique<Select>();
  Next();
  ParseSelectKind(*select);
  select->items = ParseSelectItems(/*with_order=*/false);
  if (Accept(Keyword::kFrom)) select->from = ParseFrom();
  if (Accept(Keyword::kWhere)) select->where = ParseExpression();
  if (Accept(Keyword::kGroup)) {
    Expect(Keyword::kBy, "after GROUP");
    select->group_by = ParseGroupBy(/*in_pipe=*/false);
  }
  if (Accept(Keyword::kHaving)) select->having = ParseExpression();
  if (Accept(Keyword::kQualify)) select->qualify = ParseExpression();
  if (Accept(Keyword::kWindow)) select->windows = ParseWindows();
  return Finish(std::move(select), first);
}

// [ALL | DISTINCT] [AS STRUCT | AS VALUE].
void Parser::ParseSelectKind(Select& select) {
  // WITH( is an expression; WITH and a name are options that only other systems have.
  if (At(Keyword::kWith) && !At(TokenKind::kLeftParen, 1)) FailUnsupported(Peek().span, "SELECT WITH …");
  select.distinct = Accept(Keyword::kDistinct);
  if (!select.distinct) Accept(Keyword::kAll);
  if (!Accept(Keyword::kAs)) return;
  if (Accept(Keyword::kStruct)) {
    select.as = Select::As::kStruct;
  } else if (Accept(Keyword::kValue)) {
    select.as = Select::As::kValue;
  } else {
    FailExpected("STRUCT or VALUE after SELECT AS");
  }
}

// Returns whether a list of items ends before that token, perhaps after a superfluous comma.
bool Parser::EndsItems(size_t distance) const {
  const Token& next = Peek(distance);
  switch (next.kind) {
    case TokenKind::kEnd:
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kSemicolon:
    case TokenKind::kPipe:
      return true;
    default:
      break;
  }
  switch (next.keyword) {
    case Keyword::kFrom:
    case Keyword::kWhere:
    case Keyword::kGroup:
    case Keyword::kHaving:
    case Keyword::kQualify:
    case Keyword::kWindow:
    case Keyword::kOrder:
    case Keyword::kLimit:
    case Keyword::kUnion:
    case Keyword::kIntersect:
    case Keyword::kExcept:
      return true;
    default:
      return false;
  }
}

std::vector<SelectItem> Parser::ParseSelectItems(bool with_order) {
  std::vector<SelectItem> items;
  if (EndsItems()) FailExpected(base::StrCat("a column or an expression", AfterPrevious()));
  do {
    if (!items.empty() && EndsItems()) break;
    if (items.size() >= static_cast<size_t>(limits_.max_columns)) {
      FailHere(base::StrCat("more than ", limits_.max_columns, " columns in one list"));
    }
    items.push_back(ParseSelectItem(with_order));
  } while (Accept(TokenKind::kComma));
  return items;
}

// *, expr.*, expr [[AS] alias]; in pipes also with an order.
SelectItem Parser::ParseSelectItem(bool with_order) {
  const size_t first = at_;
  SelectItem item;
  if (Accept(TokenKind::kStar)) {
    item.is_star = true;
  } else {
    item.expr = ParseExpression();
    if (At(TokenKind::kDot) && At(TokenKind::kStar, 1)) {
      Next();
      Next();
      item.is_star = true;
    }
  }
  if (item.is_star) {
    ParseStarModifiers(item);
  } else {
    item.alias = ParseAlias();
  }
  if (with_order) {
    item.has_order = ParseDirection(item.descending);
    item.nulls = ParseNullsOrder();
    item.has_order = item.has_order || item.nulls != NullsOrder::kDefault;
  }
  item.span = SpanFrom(first);
  return item;
}

// [EXCEPT (a, b)] [REPLACE (expr AS a, …)].
void Parser::ParseStarModifiers(SelectItem& item) {
  if (At(Keyword::kExcept) && At(TokenKind::kLeftParen, 1)) {
    Next();
    item.except = ParseNameList();
  }
  const size_t open = at_ + 1;
  if (!At(Keyword::kReplace) || !At(TokenKind::kLeftParen, 1)) return;
  Next();
  Next();
  const Level level(this);
  do {
    if (!item.replace.empty() && At(TokenKind::kRightParen)) break;
    SelectItem::Replacement replacement;
    replacement.value = ParseExpression();
    Expect(Keyword::kAs, "and the column that is replaced");
    replacement.name = ParseName("the name of the column that is replaced");
    item.replace.push_back(std::move(replacement));
  } while (Accept(TokenKind::kComma));
  ExpectClosing(open);
}

// Parses what follows WINDOW: name AS (specification), name AS other.
std::vector<Select::NamedWindow> Parser::ParseWindows() {
  std::vector<Select::NamedWindow> windows;
  do {
    Select::NamedWindow window;
    window.name = ParseName("a window's name after WINDOW");
    Expect(Keyword::kAs, "and the window's specification");
    const size_t first = at_;
    if (AtName()) {
      window.spec.base = TakeName();
      window.spec.span = SpanFrom(first);
    } else {
      window.spec = ParseWindowSpec();
    }
    windows.push_back(std::move(window));
  } while (Accept(TokenKind::kComma));
  return windows;
}

// Parses what follows GROUP BY.
GroupBy Parser::ParseGroupBy(bool in_pipe) {
  GroupBy group;
  if (Accept(Keyword::kAll)) {
    group.all = true;
    return group;
  }
  do {
    if (in_pipe && !group.items.empty() && EndsItems()) break;
    group.items.push_back(ParseGroupItem(in_pipe));
  } while (Accept(TokenKind::kComma));
  return group;
}

GroupItem Parser::ParseGroupItem(bool in_pipe) {
  const size_t first = at_;
  GroupItem item;
  if (At(Keyword::kRollup) || At(Keyword::kCube)) {
    item.kind = At(Keyword::kRollup) ? GroupItem::Kind::kRollup : GroupItem::Kind::kCube;
    Next();
    item.lists = ParseGroupLists();
  } else if (At(Keyword::kGrouping) && At(Keyword::kSets, 1)) {
    Next();
    Next();
    item.kind = GroupItem::Kind::kGroupingSets;
    const Level level(this);
    const size_t open = at_;
    if (Expect(TokenKind::kLeftParen, "( after GROUPING SETS")) {
      do {
        item.sets.push_back(ParseGroupingSet());
      } while (Accept(TokenKind::kComma));
      ExpectClosing(open);
    }
  } else if (At(TokenKind::kLeftParen) && At(TokenKind::kRightParen, 1)) {
    Next();
    Next();
    item.kind = GroupItem::Kind::kEmpty;
  } else {
    item.expr = ParseExpression();
    if (in_pipe) item.alias = ParseAlias();
  }
  if (in_pipe && item.kind == GroupItem::Kind::kExpr) {
    item.has_order = ParseDirection(item.descending);
    item.nulls = ParseNullsOrder();
    item.has_order = item.has_order || item.nulls != NullsOrder::kDefault;
  }
  item.span = SpanFrom(first);
  return item;
}

// (a, (b, c)) of ROLLUP and CUBE: [[a], [b, c]].
std::vector<std::vector<ExprPtr>> Parser::ParseGroupLists() {
  std::vector<std::vector<ExprPtr>> lists;
  const Level level(this);
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( and expressions")) return lists;
  do {
    lists.push_back(ParseGroupList());
  } while (Accept(TokenKind::kComma));
  ExpectClosing(open);
  return lists;
}

// a, or the columns of (a, b).
std::vector<ExprPtr> Parser::ParseGroupList() {
  std::vector<ExprPtr> columns;
  ExprPtr expr = ParseExpression();
  if (expr == nullptr || expr->kind != ExprKind::kStruct || !static_cast<StructExpr&>(*expr).is_tuple) {
    columns.push_back(std::move(expr));
    return columns;
  }
  for (StructExpr::Item& item : static_cast<StructExpr&>(*expr).items) columns.push_back(std::move(item.value));
  return columns;
}

// One of GROUPING SETS: (), a, (a, b), ROLLUP(…), CUBE(…).
GroupItem Parser::ParseGroupingSet() {
  const size_t first = at_;
  const bool is_list =
      !At(Keyword::kRollup) && !At(Keyword::kCube) && !(At(TokenKind::kLeftParen) && At(TokenKind::kRightParen, 1));
  if (!is_list) return ParseGroupItem(/*in_pipe=*/false);
  GroupItem item;
  std::vector<ExprPtr> columns = ParseGroupList();
  if (columns.size() == 1) {
    item.expr = std::move(columns.front());
  } else {
    item.lists.push_back(std::move(columns));
  }
  item.span = SpanFrom(first);
  return item;
}

}  // namespace logquery::sql
