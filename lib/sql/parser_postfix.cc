// Parses postfix operators: fields, chained calls, subscripts, casts by ::.
#include <algorithm>
#include <utility>

#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

// Returns the mode that a word before a parenthesis stands for, as in [OFFSET(1)].
Subscript::Mode SubscriptMode(Keyword keyword) {
  switch (keyword) {
    case Keyword::kOffset:
      return Subscript::Mode::kOffset;
    case Keyword::kOrdinal:
      return Subscript::Mode::kOrdinal;
    case Keyword::kSafeOffset:
      return Subscript::Mode::kSafeOffset;
    case Keyword::kSafeOrdinal:
      return Subscript::Mode::kSafeOrdinal;
    case Keyword::kKey:
      return Subscript::Mode::kKey;
    case Keyword::kSafeKey:
      return Subscript::Mode::kSafeKey;
    default:
      return Subscript::Mode::kPlain;
  }
}

}  // namespace

ExprPtr Parser::ParsePostfix() {
  const int height_before = std::exchange(chain_height_, 0);
  const size_t first = at_;
  ExprPtr expr = ParsePrimary();
  while (!failed()) {
    if (At(TokenKind::kDot) && !At(TokenKind::kStar, 1)) {
      expr = ParseDot(std::move(expr), first);
    } else if (At(TokenKind::kLeftBracket)) {
      expr = ParseSubscript(std::move(expr), first);
    } else if (Accept(TokenKind::kDoubleColon)) {
      auto cast = std::make_unique<CastExpr>();
      cast->operand = std::move(expr);
      cast->type = ParseType();
      expr = Finish(std::move(cast), first);
    } else {
      break;
    }
    LengthenChain();
  }
  chain_height_ = std::max(chain_height_, height_before);
  return expr;
}

// `.field` of what is no plain path, `.function(…)` and `.(path.of.function)(…)`, which take it as first argument.
ExprPtr Parser::ParseDot(ExprPtr base, size_t first) {
  Next();
  const size_t open = at_;
  std::vector<Identifier> names;
  if (Accept(TokenKind::kLeftParen)) {
    do {
      if (!AtAnyWord()) FailExpected("a function's name");
      names.push_back(TakeName());
    } while (Accept(TokenKind::kDot));
    ExpectClosing(open);
    if (!At(TokenKind::kLeftParen)) FailExpected("( and the function's arguments");
  } else {
    if (!AtAnyWord()) FailExpected("a field's name after .");
    names.push_back(TakeName());
  }
  if (At(TokenKind::kLeftParen)) return ParseCall(std::move(names), std::move(base), first);
  if (base != nullptr && base->kind == ExprKind::kPath) {
    static_cast<PathExpr*>(base.get())->names.push_back(std::move(names.front()));
    base->span = SpanFrom(first);
    return base;
  }
  auto access = std::make_unique<FieldAccess>();
  access->base = std::move(base);
  access->field = std::move(names.front());
  return Finish(std::move(access), first);
}

ExprPtr Parser::ParseSubscript(ExprPtr base, size_t first) {
  auto subscript = std::make_unique<Subscript>();
  subscript->base = std::move(base);
  const Level level(this);
  const size_t open = at_;
  Next();
  if (At(TokenKind::kLeftParen, 1)) subscript->mode = SubscriptMode(Peek().keyword);
  if (subscript->mode == Subscript::Mode::kPlain) {
    subscript->index = ParseExpression();
  } else {
    Next();
    const size_t inner = at_;
    Next();
    const Level inner_level(this);
    subscript->index = ParseExpression();
    ExpectClosing(inner);
  }
  ExpectClosing(open);
  return Finish(std::move(subscript), first);
}

}  // namespace logquery::sql
