// Parses FROM items: tables, UNNEST, subqueries, table functions.
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {

FromItemPtr Parser::ParseFromPrimary() {
  const size_t first = at_;
  FromItemPtr item;
  if (At(TokenKind::kLeftParen)) {
    item = ParseParenthesizedFrom();
  } else if (At(Keyword::kUnnest)) {
    item = ParseUnnest();
  } else if (At(Keyword::kLateral)) {
    FailUnsupported(Peek().span, "LATERAL");
  } else if (AtName()) {
    item = ParseTable();
  } else {
    FailExpected(base::StrCat("a table name, UNNEST(…) or a subquery", AfterPrevious()));
  }
  if (failed()) return item;
  item->span = SpanFrom(first);
  return ParseFromSuffixes(std::move(item), first);
}

// A subquery, or joins in parentheses.
FromItemPtr Parser::ParseParenthesizedFrom() {
  const size_t open = at_;
  if (IsQueryAt(open)) {
    auto item = std::make_unique<SubqueryItem>();
    item->query = ParseQueryInParens();
    return item;
  }
  const Level level(this);
  Next();
  FromItemPtr item = ParseJoins(/*in_parens=*/true);
  ExpectClosing(open);
  if (item != nullptr && item->kind == FromKind::kJoin) static_cast<JoinItem&>(*item).parenthesized = true;
  return item;
}

// UNNEST(array [AS name], … [, mode => mode]).
FromItemPtr Parser::ParseUnnest() {
  auto item = std::make_unique<UnnestItem>();
  const Level level(this);
  Next();
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( after UNNEST")) return item;
  do {
    if (AtWordOf("mode") && At(TokenKind::kNamed, 1)) {
      Next();
      Next();
      item->mode = ParseExpression();
      break;
    }
    UnnestItem::Array array;
    array.value = ParseExpression();
    array.alias = ParseAlias();
    item->arrays.push_back(std::move(array));
  } while (Accept(TokenKind::kComma));
  if (item->arrays.empty()) FailExpected("an array in UNNEST");
  ExpectClosing(open);
  return item;
}

FromItemPtr Parser::ParseTable() {
  const size_t first = at_;
  std::vector<Identifier> path = ParseTablePath();
  if (At(TokenKind::kLeftParen) && !failed()) return ParseTableFunction(std::move(path), first);
  if (path.size() == 1) table_names_.push_back(path[0]);
  auto item = std::make_unique<TableItem>();
  item->path = std::move(path);
  return item;
}

std::vector<Identifier> Parser::ParseTablePath() {
  std::vector<Identifier> path;
  const Token& name = Peek();
  const bool dashed = name.kind == TokenKind::kWord && At(TokenKind::kMinus, 1) &&
                      Peek(1).span.begin == name.span.end && Peek(2).span.begin == Peek(1).span.end;
  bool dot_taken = false;
  path.push_back(dashed ? ParseDashedName(dot_taken) : TakeName());
  while ((dot_taken || Accept(TokenKind::kDot)) && !failed()) {
    dot_taken = false;
    if (!AtAnyWord()) FailExpected("a name after .");
    path.push_back(TakeName());
  }
  return path;
}

// A first name with dashes, such as my-project-7: to the lexer that is a subtraction of words and numbers without any
// space. Where a number ends the name, as in my-project-7.logs, the lexer took the dot for the number's: `dot_taken`.
Identifier Parser::ParseDashedName(bool& dot_taken) {
  const uint32_t begin = Peek().span.begin;
  uint32_t end = begin;
  const auto is_part = [this](uint32_t at) {
    const char c = at < text_.size() ? text_[at] : ' ';
    const bool dash = c == '-' && at + 1 < text_.size() && text_[at + 1] != '-';
    return dash || c == '_' || absl::ascii_isalnum(static_cast<unsigned char>(c));
  };
  while (is_part(end)) ++end;
  while (!At(TokenKind::kEnd) && Peek().span.end <= end) Next();
  dot_taken = At(TokenKind::kFloat) && Peek().span.end == end + 1 && text_[end] == '.';
  if (dot_taken) Next();
  if (!At(TokenKind::kEnd) && Peek().span.begin < end) FailExpected("a table name");
  const Span span{begin, end};
  return {std::string(TextOf(span)), span, false};
}

// Parsed so that the error can name it: no table function is allowed.
FromItemPtr Parser::ParseTableFunction(std::vector<Identifier> name, size_t first) {
  auto item = std::make_unique<TableFunctionItem>();
  item->name = std::move(name);
  const Level level(this);
  const size_t open = at_;
  Next();
  while (!At(TokenKind::kRightParen) && !failed()) {
    if (AtName() && At(TokenKind::kNamed, 1)) {
      Next();
      Next();
    }
    if ((At(Keyword::kTable) || At(Keyword::kModel)) && AtName(1)) Next();
    item->arguments.push_back(ParseExpression());
    if (!Accept(TokenKind::kComma)) break;
  }
  ExpectClosing(open);
  return Finish(std::move(item), first);
}

// Parses what may follow a table: alias, WITH OFFSET, PIVOT and UNPIVOT.
FromItemPtr Parser::ParseFromSuffixes(FromItemPtr item, size_t first) {
  if (item->kind != FromKind::kJoin && !item->alias.has_value()) item->alias = ParseFromAlias();
  if (item->kind == FromKind::kUnnest) {
    auto& unnest = static_cast<UnnestItem&>(*item);
    ParseOffset(unnest.with_offset, unnest.offset_alias);
  } else if (item->kind == FromKind::kTable) {
    auto& table = static_cast<TableItem&>(*item);
    ParseOffset(table.with_offset, table.offset_alias);
  }
  item->span = SpanFrom(first);
  while ((AtPivot() || AtUnpivot()) && !failed()) {
    FromItemPtr input = std::move(item);
    CountJoin(input.get());
    if (AtPivot()) {
      auto pivot = ParsePivot();
      pivot->input = std::move(input);
      item = std::move(pivot);
    } else {
      auto unpivot = ParseUnpivot();
      unpivot->input = std::move(input);
      item = std::move(unpivot);
    }
    item->alias = ParseFromAlias();
    item->span = SpanFrom(first);
  }
  if (At(Keyword::kTablesample)) FailUnsupported(Peek().span, "TABLESAMPLE");
  if (At(Keyword::kFor)) FailUnsupported(Peek().span, "FOR SYSTEM_TIME AS OF");
  if (At(Keyword::kMatchRecognize)) FailUnsupported(Peek().span, "MATCH_RECOGNIZE");
  return item;
}

std::optional<Identifier> Parser::ParseFromAlias() {
  if (AtPivot() || AtUnpivot() || At(Keyword::kMatchRecognize)) return std::nullopt;
  return ParseAlias();
}

// [WITH OFFSET [[AS] name]].
void Parser::ParseOffset(bool& with_offset, std::optional<Identifier>& alias) {
  if (!Accept(Keyword::kWith)) return;
  with_offset = Expect(Keyword::kOffset, "after WITH");
  alias = ParseFromAlias();
}

}  // namespace logquery::sql
