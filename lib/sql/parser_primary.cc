// Parses operands: literals, names, parentheses, and expressions that start with a keyword.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

std::optional<TypeKind> LiteralType(Keyword keyword) {
  switch (keyword) {
    case Keyword::kDate:
      return TypeKind::kDate;
    case Keyword::kTime:
      return TypeKind::kTime;
    case Keyword::kDatetime:
      return TypeKind::kDatetime;
    case Keyword::kTimestamp:
      return TypeKind::kTimestamp;
    case Keyword::kNumeric:
    case Keyword::kDecimal:
      return TypeKind::kNumeric;
    case Keyword::kBignumeric:
    case Keyword::kBigdecimal:
      return TypeKind::kBigNumeric;
    case Keyword::kJson:
      return TypeKind::kJson;
    default:
      return std::nullopt;
  }
}

// GoogleSQL lets these be called without parentheses.
bool IsCallWithoutParentheses(std::string_view name) {
  for (const std::string_view clock : {"CURRENT_DATE", "CURRENT_TIME", "CURRENT_DATETIME", "CURRENT_TIMESTAMP"}) {
    if (base::EqualsIgnoreCase(name, clock)) return true;
  }
  return false;
}

}  // namespace

ExprPtr Parser::ParsePrimary() {
  switch (Peek().kind) {
    case TokenKind::kWord:
      return ParseWordPrimary();
    case TokenKind::kQuotedName:
      return ParseNameOrCall();
    case TokenKind::kString:
    case TokenKind::kBytes:
      return ParseText();
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return ParseNumber();
    case TokenKind::kParameter:
      return ParseParameter();
    case TokenKind::kLeftParen:
      return ParseParenthesized();
    case TokenKind::kLeftBracket:
      return ParseArrayElements(std::nullopt, at_);
    default:
      FailExpected(base::StrCat("an expression", AfterPrevious()));
      return nullptr;
  }
}

ExprPtr Parser::ParseWordPrimary() {
  const Token& token = Peek();
  if (IsFunctionKeyword(token.keyword) && At(TokenKind::kLeftParen, 1)) return ParseNameOrCall();
  if (IsReserved(token.keyword)) return ParseReservedPrimary();
  if (token.keyword == Keyword::kSafeCast && At(TokenKind::kLeftParen, 1)) return ParseCast(/*safe=*/true);
  if (At(TokenKind::kString, 1) && LiteralType(token.keyword).has_value()) return ParseTypedLiteral();
  return ParseNameOrCall();
}

ExprPtr Parser::ParseReservedPrimary() {
  const size_t first = at_;
  switch (Peek().keyword) {
    case Keyword::kNull:
      return ParseConstant(Literal::Form::kNull);
    case Keyword::kTrue:
    case Keyword::kFalse:
      return ParseConstant(Literal::Form::kBool);
    case Keyword::kCase:
      return ParseCase();
    case Keyword::kCast:
      return ParseCast(/*safe=*/false);
    case Keyword::kExtract:
      return ParseExtract();
    case Keyword::kInterval:
      return ParseInterval();
    case Keyword::kStruct:
      return ParseStruct();
    case Keyword::kArray:
      return ParseArray();
    case Keyword::kExists:
      Next();
      return ParseSubquery(SubqueryExpr::Form::kExists, first);
    case Keyword::kWith:
      if (At(TokenKind::kLeftParen, 1)) return ParseWithExpr();
      break;
    default:
      break;
  }
  FailMisplaced();
  return nullptr;
}

// Fails at a reserved word where an expression was expected.
void Parser::FailMisplaced() {
  if (At(Keyword::kSelect)) FailHere("Syntax error: a subquery stands in parentheses: (SELECT …)");
  if (At(Keyword::kUnnest)) FailHere("Syntax error: UNNEST stands in FROM, or after IN");
  const bool is_range = At(Keyword::kRange) && (At(TokenKind::kLess, 1) || At(TokenKind::kLeftParen, 1));
  if (is_range) FailUnsupported(Peek().span, "the type RANGE");
  FailExpected(base::StrCat("an expression", AfterPrevious()));
}

ExprPtr Parser::ParseConstant(Literal::Form form) {
  const size_t first = at_;
  auto literal = std::make_unique<Literal>();
  literal->form = form;
  if (form == Literal::Form::kBool) literal->text = At(Keyword::kTrue) ? "true" : "false";
  Next();
  return Finish(std::move(literal), first);
}

ExprPtr Parser::ParseNumber() {
  const size_t first = at_;
  auto literal = std::make_unique<Literal>();
  literal->form = At(TokenKind::kInteger) ? Literal::Form::kInteger : Literal::Form::kFloat;
  literal->text = TextOf(Next().span);
  const Token& next = Peek();
  if (AtAnyWord() && next.span.begin == list_.tokens[first].span.end) {
    Fail(next.span,
         base::StrCat("Syntax error: missing space between the number ", literal->text, " and ", TextOf(next.span)));
  }
  return Finish(std::move(literal), first);
}

// A string or bytes; those that follow each other are one.
ExprPtr Parser::ParseText() {
  const size_t first = at_;
  const TokenKind kind = Peek().kind;
  auto literal = std::make_unique<Literal>();
  literal->form = kind == TokenKind::kString ? Literal::Form::kString : Literal::Form::kBytes;
  while (At(kind) && !failed()) {
    const Token token = Next();
    literal->text += ValueOf(token);
    if (At(kind) && Peek().span.begin == token.span.end) {
      FailHere("Syntax error: missing space between two strings that are to be one");
    }
  }
  return Finish(std::move(literal), first);
}

ExprPtr Parser::ParseTypedLiteral() {
  const size_t first = at_;
  auto literal = std::make_unique<Literal>();
  literal->form = Literal::Form::kTyped;
  literal->type = Type(*LiteralType(Next().keyword));
  ExprPtr text = ParseText();
  if (!failed()) literal->text = std::move(static_cast<Literal&>(*text).text);
  return Finish(std::move(literal), first);
}

ExprPtr Parser::ParseParameter() {
  const size_t first = at_;
  auto parameter = std::make_unique<ParameterExpr>();
  parameter->name = ValueOf(Next());
  return Finish(std::move(parameter), first);
}

// (expression), (query), (a, b).
ExprPtr Parser::ParseParenthesized() {
  const size_t first = at_;
  if (IsQueryAt(first)) return ParseSubquery(SubqueryExpr::Form::kScalar, first);
  const Level level(this);
  Next();
  ExprPtr expr = ParseExpression();
  if (At(TokenKind::kComma)) return ParseTuple(std::move(expr), first);
  ExpectClosing(first);
  return expr;
}

ExprPtr Parser::ParseTuple(ExprPtr first_item, size_t first) {
  auto tuple = std::make_unique<StructExpr>();
  tuple->is_tuple = true;
  tuple->items.push_back({std::move(first_item), std::nullopt});
  while (Accept(TokenKind::kComma)) tuple->items.push_back({ParseExpression(), std::nullopt});
  ExpectClosing(first);
  return Finish(std::move(tuple), first);
}

// A path of names, or a call of the function that it names.
ExprPtr Parser::ParseNameOrCall() {
  const size_t first = at_;
  std::vector<Identifier> names;
  names.reserve(2);
  names.push_back(TakeName());
  while (At(TokenKind::kDot) && AtAnyWord(1)) {
    Next();
    names.push_back(TakeName());
  }
  if (At(TokenKind::kLeftParen)) return ParseCall(std::move(names), nullptr, first);
  const Identifier& name = names.front();
  if (names.size() == 1 && !name.quoted && IsCallWithoutParentheses(name.text)) {
    auto call = std::make_unique<Call>();
    call->name = std::move(names);
    return Finish(std::move(call), first);
  }
  auto path = std::make_unique<PathExpr>();
  path->names = std::move(names);
  return Finish(std::move(path), first);
}

}  // namespace logquery::sql
