// Parses operators by precedence climbing, as in GoogleSQL's grammar.
#include <utility>

#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

struct Operator {
  TokenKind kind;
  Binding binding;
  Binary::Op op;
};

// Infix operators of one symbol and two operands.
constexpr Operator kOperators[] = {
    {TokenKind::kStar, Binding::kMultiply, Binary::Op::kMultiply},
    {TokenKind::kSlash, Binding::kMultiply, Binary::Op::kDivide},
    {TokenKind::kPlus, Binding::kAdd, Binary::Op::kAdd},
    {TokenKind::kMinus, Binding::kAdd, Binary::Op::kSubtract},
    {TokenKind::kShiftLeft, Binding::kShift, Binary::Op::kShiftLeft},
    {TokenKind::kAmpersand, Binding::kBitAnd, Binary::Op::kBitAnd},
    {TokenKind::kCaret, Binding::kBitXor, Binary::Op::kBitXor},
    {TokenKind::kBar, Binding::kBitOr, Binary::Op::kBitOr},
    {TokenKind::kEqual, Binding::kComparison, Binary::Op::kEqual},
    {TokenKind::kNotEqual, Binding::kComparison, Binary::Op::kNotEqual},
    {TokenKind::kLess, Binding::kComparison, Binary::Op::kLess},
    {TokenKind::kLessOrEqual, Binding::kComparison, Binary::Op::kLessOrEqual},
    {TokenKind::kGreater, Binding::kComparison, Binary::Op::kGreater},
    {TokenKind::kGreaterOrEqual, Binding::kComparison, Binary::Op::kGreaterOrEqual},
};

}  // namespace

std::vector<ExprPtr> Parser::ParseExpressions() {
  std::vector<ExprPtr> expressions;
  do {
    expressions.push_back(ParseExpression());
  } while (Accept(TokenKind::kComma));
  return expressions;
}

ExprPtr Parser::ParseInfix(Binding loosest) {
  const int height_before = std::exchange(chain_height_, 0);
  const size_t first = at_;
  ExprPtr left = ParseUnary();
  Nary* chain = nullptr;  // the node that the next operand of the same operator joins
  bool compared = false;
  for (Infix infix = PeekInfix(); infix.form != Infix::Form::kNone && infix.binding >= loosest; infix = PeekInfix()) {
    if (infix.binding == Binding::kComparison && std::exchange(compared, true)) {
      FailHere("Syntax error: comparisons do not chain; join them with AND, or put one in parentheses");
    }
    const int left_height = std::exchange(chain_height_, 0);
    if (infix.form == Infix::Form::kNary && chain != nullptr && chain->op == infix.nary) {
      Next();
      chain->operands.push_back(ParseInfix(Tighter(infix.binding)));
      chain->span = SpanFrom(first);
      chain_height_ = std::max(chain_height_, left_height);
      continue;
    }
    left = ParseInfixRight(infix, std::move(left), first);
    chain = infix.form == Infix::Form::kNary ? static_cast<Nary*>(left.get()) : nullptr;
    chain_height_ = std::max(chain_height_, left_height);
    LengthenChain();
  }
  chain_height_ = std::max(chain_height_, height_before);
  return left;
}

Parser::Infix Parser::PeekInfix() const {
  using Form = Infix::Form;
  const Token& token = Peek();
  if (token.kind == TokenKind::kGreater && At(TokenKind::kGreater, 1) && Peek(1).span.begin == token.span.end) {
    return {.form = Form::kBinary, .binding = Binding::kShift, .binary = Binary::Op::kShiftRight, .tokens = 2};
  }
  if (token.kind == TokenKind::kConcat) {
    return {.form = Form::kNary, .binding = Binding::kConcat, .nary = Nary::Op::kConcat};
  }
  if (token.kind != TokenKind::kWord) {
    for (const Operator& op : kOperators) {
      if (op.kind == token.kind) return {.form = Form::kBinary, .binding = op.binding, .binary = op.op};
    }
    return {};
  }
  switch (token.keyword) {
    case Keyword::kAnd:
      return {.form = Form::kNary, .binding = Binding::kAnd, .nary = Nary::Op::kAnd};
    case Keyword::kOr:
      return {.form = Form::kNary, .binding = Binding::kOr, .nary = Nary::Op::kOr};
    case Keyword::kIs:
      return {.form = Form::kIs, .binding = Binding::kComparison};
    default:
      return PeekNegatedInfix();
  }
}

// Returns the operator after NOT, if it is one that NOT can precede.
Parser::Infix Parser::PeekNegatedInfix() const {
  using Form = Infix::Form;
  const bool negated = At(Keyword::kNot);
  const size_t at = negated ? 1 : 0;
  Infix infix{.binding = Binding::kComparison, .tokens = 1 + static_cast<int>(at), .negated = negated};
  switch (Peek(at).keyword) {
    case Keyword::kIn:
      infix.form = Form::kIn;
      break;
    case Keyword::kBetween:
      infix.form = Form::kBetween;
      break;
    case Keyword::kLike:
      infix.form = Form::kLike;
      break;
    case Keyword::kIlike:
      // Not reserved: after an operand it may also be its alias.
      if (!negated && (At(TokenKind::kComma, 1) || EndsItems(1))) return {};
      infix.form = Form::kLike;
      infix.ignore_case = true;
      break;
    default:
      return {};
  }
  return infix;
}

ExprPtr Parser::ParseInfixRight(const Infix& infix, ExprPtr left, size_t first) {
  for (int i = 0; i < infix.tokens; ++i) Next();
  ExprPtr node;
  switch (infix.form) {
    case Infix::Form::kNone:
      break;
    case Infix::Form::kNary: {
      auto nary = std::make_unique<Nary>();
      nary->op = infix.nary;
      nary->operands.push_back(std::move(left));
      nary->operands.push_back(ParseInfix(Tighter(infix.binding)));
      node = std::move(nary);
      break;
    }
    case Infix::Form::kBinary: {
      auto binary = std::make_unique<Binary>();
      binary->op = infix.binary;
      binary->left = std::move(left);
      binary->right = ParseInfix(Tighter(infix.binding));
      node = std::move(binary);
      break;
    }
    case Infix::Form::kIs:
      node = ParseIs(std::move(left));
      break;
    case Infix::Form::kBetween:
      node = ParseBetween(std::move(left), infix.negated);
      break;
    case Infix::Form::kIn:
      node = ParseIn(std::move(left), infix.negated);
      break;
    case Infix::Form::kLike:
      node = ParseLike(std::move(left), infix);
      break;
  }
  return Finish(std::move(node), first);
}

// Parses what follows IS.
ExprPtr Parser::ParseIs(ExprPtr operand) {
  const bool negated = Accept(Keyword::kNot);
  if (Accept(Keyword::kDistinct)) {
    Expect(Keyword::kFrom, "after IS DISTINCT");
    auto binary = std::make_unique<Binary>();
    binary->op = negated ? Binary::Op::kIsNotDistinct : Binary::Op::kIsDistinct;
    binary->left = std::move(operand);
    binary->right = ParseInfix(Binding::kBitOr);
    return binary;
  }
  auto test = std::make_unique<IsTest>();
  test->operand = std::move(operand);
  test->negated = negated;
  if (Accept(Keyword::kNull)) {
    test->what = IsTest::What::kNull;
  } else if (Accept(Keyword::kTrue)) {
    test->what = IsTest::What::kTrue;
  } else if (Accept(Keyword::kFalse)) {
    test->what = IsTest::What::kFalse;
  } else if (Accept(Keyword::kUnknown)) {
    test->what = IsTest::What::kUnknown;
  } else {
    FailExpected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS");
  }
  return test;
}

ExprPtr Parser::ParseBetween(ExprPtr value, bool negated) {
  auto between = std::make_unique<Between>();
  between->value = std::move(value);
  between->negated = negated;
  between->low = ParseInfix(Binding::kBitOr);
  Expect(Keyword::kAnd, "and the upper bound of BETWEEN");
  between->high = ParseInfix(Binding::kBitOr);
  return between;
}

ExprPtr Parser::ParseIn(ExprPtr value, bool negated) {
  auto in = std::make_unique<InExpr>();
  in->value = std::move(value);
  in->negated = negated;
  in->candidates = ParseCandidates();
  return in;
}

ExprPtr Parser::ParseLike(ExprPtr value, const Infix& infix) {
  auto like = std::make_unique<LikeExpr>();
  like->value = std::move(value);
  like->negated = infix.negated;
  like->ignore_case = infix.ignore_case;
  if (Accept(Keyword::kAny) || Accept(Keyword::kSome)) like->quantifier = LikeExpr::Quantifier::kAny;
  if (Accept(Keyword::kAll)) like->quantifier = LikeExpr::Quantifier::kAll;
  if (like->quantifier == LikeExpr::Quantifier::kOne) {
    like->patterns.list.push_back(ParseInfix(Binding::kBitOr));
  } else {
    like->patterns = ParseCandidates();
  }
  return like;
}

// Parses the right side of IN and LIKE ANY: a list, UNNEST(array), or a subquery.
Candidates Parser::ParseCandidates() {
  Candidates candidates;
  const bool unnest = Accept(Keyword::kUnnest);
  const size_t open = at_;
  if (!unnest && At(TokenKind::kLeftParen) && IsQueryAt(open)) {
    candidates.subquery = ParseQueryInParens();
    return candidates;
  }
  if (!Expect(TokenKind::kLeftParen, unnest ? "( after UNNEST" : "( and a list, a subquery, or UNNEST(…)")) {
    return candidates;
  }
  const Level level(this);
  if (unnest) {
    candidates.unnest = ParseExpression();
  } else {
    candidates.list = ParseExpressions();
  }
  ExpectClosing(open);
  return candidates;
}

ExprPtr Parser::ParseUnary() {
  Unary::Op op = Unary::Op::kNot;
  switch (Peek().kind) {
    case TokenKind::kMinus:
      op = Unary::Op::kMinus;
      break;
    case TokenKind::kPlus:
      op = Unary::Op::kPlus;
      break;
    case TokenKind::kTilde:
      op = Unary::Op::kBitNot;
      break;
    default:
      if (!At(Keyword::kNot)) return ParsePostfix();
  }
  const size_t first = at_;
  const Level level(this);
  Next();
  auto unary = std::make_unique<Unary>();
  unary->op = op;
  unary->operand = op == Unary::Op::kNot ? ParseInfix(Binding::kComparison) : ParseUnary();
  return Finish(std::move(unary), first);
}

}  // namespace logquery::sql
