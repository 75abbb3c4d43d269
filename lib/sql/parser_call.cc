// Parses function calls, with all clauses of aggregates and window functions.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

bool IsWeekday(std::string_view word) {
  for (const std::string_view day : {"SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"}) {
    if (base::EqualsIgnoreCase(word, day)) return true;
  }
  return false;
}

}  // namespace

// Parses a call, whose parenthesis is next. `first_argument` is the expression before the dot of a chained call, else
// nullptr.
ExprPtr Parser::ParseCall(std::vector<Identifier> name, ExprPtr first_argument, size_t first) {
  const Level level(this);
  auto call = std::make_unique<Call>();
  call->safe = name.size() > 1 && !name.front().quoted && base::EqualsIgnoreCase(name.front().text, "SAFE");
  if (call->safe) name.erase(name.begin());
  call->name = std::move(name);
  if (first_argument != nullptr) call->arguments.push_back({std::move(first_argument), std::nullopt, ""});
  const size_t open = at_;
  Next();
  if (!At(TokenKind::kRightParen)) {
    ParseArguments(*call);
    ParseCallModifiers(*call);
  }
  ExpectClosing(open);
  if (Accept(Keyword::kOver)) call->over = ParseOver();
  return Finish(std::move(call), first);
}

void Parser::ParseArguments(Call& call) {
  call.distinct = Accept(Keyword::kDistinct);
  if (call.arguments.empty() && Accept(TokenKind::kStar)) {
    call.arguments.push_back({});
    return;
  }
  do {
    call.arguments.push_back(ParseArgument());
  } while (Accept(TokenKind::kComma));
}

Call::Argument Parser::ParseArgument() {
  Call::Argument argument;
  if (AtName() && At(TokenKind::kNamed, 1)) {
    argument.name = TakeName();
    Next();
  }
  // WEEK(MONDAY) as a date part; no function is called WEEK.
  const bool is_week = At(Keyword::kWeek) && At(TokenKind::kLeftParen, 1) && At(TokenKind::kWord, 2) &&
                       At(TokenKind::kRightParen, 3) && IsWeekday(TextOf(Peek(2).span));
  if (is_week) {
    auto part = std::make_unique<PathExpr>();
    const size_t first = at_;
    part->names.push_back(TakeName());
    argument.part_argument = ParsePartArgument();
    argument.value = Finish(std::move(part), first);
    return argument;
  }
  argument.value = AtLambda() ? ParseLambda() : ParseExpression();
  return argument;
}

bool Parser::AtLambda() const {
  if (AtName() && At(TokenKind::kLambda, 1)) return true;
  return At(TokenKind::kLeftParen) && ClosesBefore(at_, TokenKind::kLambda);
}

// x -> body, (x, y) -> body.
ExprPtr Parser::ParseLambda() {
  const size_t first = at_;
  const Level level(this);
  auto lambda = std::make_unique<Lambda>();
  if (At(TokenKind::kLeftParen)) {
    lambda->parameters = ParseNameList();
  } else {
    lambda->parameters.push_back(TakeName());
  }
  Expect(TokenKind::kLambda, "->");
  lambda->body = AtLambda() ? ParseLambda() : ParseExpression();
  return Finish(std::move(lambda), first);
}

// Parses the modifiers between the arguments and the closing parenthesis, in GoogleSQL's order.
void Parser::ParseCallModifiers(Call& call) {
  if (At(Keyword::kIgnore) || At(Keyword::kRespect)) {
    call.nulls = At(Keyword::kIgnore) ? Call::Nulls::kIgnore : Call::Nulls::kRespect;
    Next();
    Expect(Keyword::kNulls, "after IGNORE or RESPECT");
  }
  if (Accept(Keyword::kHaving)) {
    call.having_max = At(Keyword::kMax);
    if (!Accept(Keyword::kMax) && !Accept(Keyword::kMin)) FailExpected("MAX or MIN after HAVING");
    call.having = ParseExpression();
  }
  if (Accept(Keyword::kOrder)) call.order_by = ParseOrderItems();
  if (Accept(Keyword::kLimit)) call.limit = ParseExpression();
}

// Parses what follows OVER: a name, or a specification in parentheses.
std::unique_ptr<WindowSpec> Parser::ParseOver() {
  auto spec = std::make_unique<WindowSpec>();
  const size_t first = at_;
  if (AtName()) {
    spec->base = TakeName();
    spec->span = SpanFrom(first);
    return spec;
  }
  if (!At(TokenKind::kLeftParen)) FailExpected("( or a window's name after OVER");
  *spec = ParseWindowSpec();
  return spec;
}

WindowSpec Parser::ParseWindowSpec() {
  WindowSpec spec;
  const Level level(this);
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( and a window's specification")) return spec;
  if (AtName()) spec.base = TakeName();
  if (Accept(Keyword::kPartition)) {
    Expect(Keyword::kBy, "after PARTITION");
    spec.partition_by = ParseExpressions();
  }
  if (Accept(Keyword::kOrder)) spec.order_by = ParseOrderItems();
  if (At(Keyword::kRows) || At(Keyword::kRange) || At(Keyword::kGroups)) spec.frame = ParseFrame();
  ExpectClosing(open);
  spec.span = SpanFrom(open);
  return spec;
}

WindowFrame Parser::ParseFrame() {
  WindowFrame frame;
  if (Accept(Keyword::kRows)) frame.unit = WindowFrame::Unit::kRows;
  if (Accept(Keyword::kGroups)) frame.unit = WindowFrame::Unit::kGroups;
  Accept(Keyword::kRange);
  if (Accept(Keyword::kBetween)) {
    frame.start = ParseBound();
    Expect(Keyword::kAnd, "and the end of the frame");
    frame.end = ParseBound();
  } else {
    frame.start = ParseBound();
  }
  return frame;
}

WindowBound Parser::ParseBound() {
  using Kind = WindowBound::Kind;
  WindowBound bound;
  if (Accept(Keyword::kCurrent)) {
    Expect(Keyword::kRow, "after CURRENT");
    return bound;
  }
  const bool unbounded = Accept(Keyword::kUnbounded);
  if (!unbounded) bound.offset = ParseInfix(Binding::kBitOr);
  if (Accept(Keyword::kPreceding)) {
    bound.kind = unbounded ? Kind::kUnboundedPreceding : Kind::kPreceding;
  } else if (Accept(Keyword::kFollowing)) {
    bound.kind = unbounded ? Kind::kUnboundedFollowing : Kind::kFollowing;
  } else {
    FailExpected("PRECEDING or FOLLOWING");
  }
  return bound;
}

// Parses what follows ORDER: BY and its items.
std::vector<OrderItem> Parser::ParseOrderItems() {
  std::vector<OrderItem> items;
  Expect(Keyword::kBy, "after ORDER");
  do {
    OrderItem item;
    item.expr = ParseExpression();
    if (Accept(Keyword::kCollate)) item.collate = ParsePrimary();
    ParseDirection(item.descending);
    item.nulls = ParseNullsOrder();
    items.push_back(std::move(item));
  } while (Accept(TokenKind::kComma));
  return items;
}

bool Parser::ParseDirection(bool& descending) {
  descending = At(Keyword::kDesc);
  return Accept(Keyword::kAsc) || Accept(Keyword::kDesc);
}

NullsOrder Parser::ParseNullsOrder() {
  if (!Accept(Keyword::kNulls)) return NullsOrder::kDefault;
  if (Accept(Keyword::kFirst)) return NullsOrder::kFirst;
  if (Accept(Keyword::kLast)) return NullsOrder::kLast;
  FailExpected("FIRST or LAST after NULLS");
  return NullsOrder::kDefault;
}

}  // namespace logquery::sql
