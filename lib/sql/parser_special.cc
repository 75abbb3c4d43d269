// Parses expressions with their own grammar: CASE, CAST, EXTRACT, INTERVAL, STRUCT, ARRAY, WITH(…), subqueries.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {

ExprPtr Parser::ParseCase() {
  const size_t first = at_;
  const Level level(this);
  Next();
  auto node = std::make_unique<CaseExpr>();
  if (!At(Keyword::kWhen)) node->operand = ParseExpression();
  while (Accept(Keyword::kWhen)) {
    CaseExpr::When when;
    when.condition = ParseExpression();
    Expect(Keyword::kThen, "in CASE");
    when.result = ParseExpression();
    node->whens.push_back(std::move(when));
  }
  if (node->whens.empty()) FailExpected("WHEN in CASE");
  if (Accept(Keyword::kElse)) node->otherwise = ParseExpression();
  if (!Accept(Keyword::kEnd)) FailExpected(node->otherwise == nullptr ? "WHEN, ELSE or END of CASE" : "END of CASE");
  return Finish(std::move(node), first);
}

// CAST(x AS type [FORMAT format [AT TIME ZONE zone]]).
ExprPtr Parser::ParseCast(bool safe) {
  const size_t first = at_;
  const Level level(this);
  Next();
  const size_t open = at_;
  auto cast = std::make_unique<CastExpr>();
  cast->safe = safe;
  if (!Expect(TokenKind::kLeftParen, "( after CAST")) return cast;
  cast->operand = ParseExpression();
  Expect(Keyword::kAs, "and a type in CAST");
  cast->type = ParseType();
  if (Accept(Keyword::kFormat)) {
    cast->format = ParseExpression();
    cast->time_zone = ParseTimeZone();
  }
  ExpectClosing(open);
  return Finish(std::move(cast), first);
}

// [AT TIME ZONE zone].
ExprPtr Parser::ParseTimeZone() {
  if (!Accept(Keyword::kAt)) return nullptr;
  Expect(Keyword::kTime, "ZONE after AT");
  Expect(Keyword::kZone, "after AT TIME");
  return ParseExpression();
}

// EXTRACT(part FROM x [AT TIME ZONE zone]).
ExprPtr Parser::ParseExtract() {
  const size_t first = at_;
  const Level level(this);
  Next();
  const size_t open = at_;
  auto extract = std::make_unique<ExtractExpr>();
  if (!Expect(TokenKind::kLeftParen, "( after EXTRACT")) return extract;
  const bool has_argument = At(TokenKind::kLeftParen, 1);
  extract->part = ParseName("a date part such as DAY");
  if (has_argument && !failed()) extract->part_argument = ParsePartArgument();
  Expect(Keyword::kFrom, "after the date part");
  extract->operand = ParseExpression();
  extract->time_zone = ParseTimeZone();
  ExpectClosing(open);
  return Finish(std::move(extract), first);
}

// The (MONDAY) of WEEK(MONDAY), in upper case.
std::string Parser::ParsePartArgument() {
  const size_t open = at_;
  Next();
  const Identifier argument = ParseName("a day of the week");
  ExpectClosing(open);
  return base::ToUpper(argument.text);
}

// INTERVAL value part [TO part].
ExprPtr Parser::ParseInterval() {
  const size_t first = at_;
  const Level level(this);
  Next();
  auto interval = std::make_unique<IntervalExpr>();
  interval->value = ParseExpression();
  interval->from = base::ToUpper(ParseName("a date part after the interval's value, as in INTERVAL 1 DAY,").text);
  if (Accept(Keyword::kTo)) interval->to = base::ToUpper(ParseName("a date part after TO").text);
  return Finish(std::move(interval), first);
}

// STRUCT(a AS x, b), STRUCT<x INT64, y STRING>(1, 'b').
ExprPtr Parser::ParseStruct() {
  const size_t first = at_;
  const Level level(this);
  auto node = std::make_unique<StructExpr>();
  if (At(TokenKind::kLess, 1) || AtEmptyAngles(1)) {
    node->type = ParseType();
  } else {
    Next();
  }
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( after STRUCT")) return node;
  while (!At(TokenKind::kRightParen) && !failed()) {
    StructExpr::Item item;
    item.value = ParseExpression();
    if (Accept(Keyword::kAs)) {
      if (node->type.has_value()) FailHere("Syntax error: the fields of STRUCT<…> have their names from its type");
      item.alias = ParseAliasAfterAs("a field's name after AS");
    }
    node->items.push_back(std::move(item));
    if (!Accept(TokenKind::kComma)) break;
    if (At(TokenKind::kRightParen)) FailExpected("an expression after ,");
  }
  ExpectClosing(open);
  return Finish(std::move(node), first);
}

// ARRAY(query), ARRAY[…], ARRAY<type>[…].
ExprPtr Parser::ParseArray() {
  const size_t first = at_;
  if (At(TokenKind::kLess, 1)) {
    TypeName type = ParseType();
    if (At(TokenKind::kLeftBracket)) return ParseArrayElements(std::move(type), first);
    FailExpected("[ and the array's elements");
    return nullptr;
  }
  Next();
  if (At(TokenKind::kLeftBracket)) return ParseArrayElements(std::nullopt, first);
  if (At(TokenKind::kLeftParen)) return ParseSubquery(SubqueryExpr::Form::kArray, first);
  FailExpected("( and a query, or [ and elements, after ARRAY");
  return nullptr;
}

ExprPtr Parser::ParseArrayElements(std::optional<TypeName> type, size_t first) {
  const Level level(this);
  const size_t open = at_;
  Next();
  auto array = std::make_unique<ArrayExpr>();
  array->type = std::move(type);
  if (!At(TokenKind::kRightBracket)) array->elements = ParseExpressions();
  ExpectClosing(open);
  return Finish(std::move(array), first);
}

// The query of a scalar subquery, of ARRAY(…) and EXISTS(…); its parenthesis is next.
ExprPtr Parser::ParseSubquery(SubqueryExpr::Form form, size_t first) {
  auto subquery = std::make_unique<SubqueryExpr>();
  subquery->form = form;
  subquery->query = ParseQueryInParens();
  return Finish(std::move(subquery), first);
}

// WITH(a AS 1, b AS a + 1, a * b).
ExprPtr Parser::ParseWithExpr() {
  const size_t first = at_;
  const Level level(this);
  Next();
  const size_t open = at_;
  Next();
  auto with = std::make_unique<WithExpr>();
  while (AtName() && At(Keyword::kAs, 1)) {
    WithExpr::Binding binding;
    binding.name = TakeName();
    Next();
    binding.value = ParseExpression();
    with->bindings.push_back(std::move(binding));
    if (!Expect(TokenKind::kComma, ", and the value of WITH(…)")) break;
  }
  with->body = ParseExpression();
  ExpectClosing(open);
  return Finish(std::move(with), first);
}

}  // namespace logquery::sql
