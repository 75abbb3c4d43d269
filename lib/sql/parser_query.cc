// Parses queries around SELECT: WITH, set operations, ORDER BY, LIMIT, and parenthesized queries.
#include <algorithm>
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

bool SameOperator(const SetOperator& a, const SetOperator& b) {
  return a.kind == b.kind && a.distinct == b.distinct && a.match == b.match && a.outer == b.outer &&
         a.strict == b.strict &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const Identifier& x, const Identifier& y) { return base::EqualsIgnoreCase(x.text, y.text); });
}

}  // namespace

bool Parser::StartsQuery(size_t distance) const {
  if (At(Keyword::kSelect, distance) || At(Keyword::kFrom, distance)) return true;
  return At(Keyword::kWith, distance) && !At(TokenKind::kLeftParen, distance + 1);  // WITH( is an expression
}

// ((SELECT 1) UNION ALL SELECT 2) is a query, ((SELECT 1) + 1) an expression, ((SELECT 1) AS a JOIN b) a join: what
// follows the innermost query decides, then what follows each parenthesis around it.
bool Parser::IsQueryAt(size_t open) const {
  size_t inner = open;
  while (list_.tokens[inner].kind == TokenKind::kLeftParen) ++inner;
  if (failed() || !StartsQuery(inner - at_)) return false;
  for (size_t paren = inner - 1; paren > open; --paren) {
    const uint32_t closing = list_.partners[paren];
    if (closing == TokenList::kNoPartner) return true;
    if (!ContinuesQuery(closing + 1)) return false;
  }
  return true;
}

// Returns whether a query in parentheses, followed by this token, is the beginning or the whole of a query.
bool Parser::ContinuesQuery(size_t token) const {
  const Token& next = list_.tokens[token];
  return next.kind == TokenKind::kRightParen || next.kind == TokenKind::kPipe || next.keyword == Keyword::kOrder ||
         next.keyword == Keyword::kLimit || AtSetOperator(token);
}

// [FULL | LEFT] [OUTER] or INNER, and UNION, INTERSECT or EXCEPT.
bool Parser::AtSetOperator(size_t token) const {
  if (failed()) return false;
  const std::vector<Token>& tokens = list_.tokens;  // the last one is no keyword, so that looking ahead ends there
  const Keyword side = tokens[token].keyword;
  if (side == Keyword::kFull || side == Keyword::kLeft || side == Keyword::kInner) ++token;
  if (tokens[token].keyword == Keyword::kOuter && side != Keyword::kInner) ++token;
  const Keyword keyword = tokens[token].keyword;
  return keyword == Keyword::kUnion || keyword == Keyword::kIntersect || keyword == Keyword::kExcept;
}

QueryPtr Parser::ParseQuery() {
  const size_t first = at_;
  auto query = std::make_unique<Query>();
  if (Accept(Keyword::kWith)) ParseWith(*query);
  query->body = ParseBody();
  ParseOrderAndLimit(*query);
  ParsePipes(*query);
  return Finish(std::move(query), first);
}

QueryPtr Parser::ParseQueryInParens() {
  const Level level(this);
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( and a query")) return nullptr;
  if (!StartsQuery() && !At(TokenKind::kLeftParen)) FailExpected(base::StrCat("a query", AfterPrevious()));
  QueryPtr query = ParseQuery();
  ExpectClosing(open);
  return query;
}

// Parses what follows WITH.
void Parser::ParseWith(Query& query) {
  query.recursive = Accept(Keyword::kRecursive);
  do {
    // As in the SELECT list, a superfluous comma at the end is allowed.
    if (!query.with.empty() && (At(Keyword::kSelect) || At(Keyword::kFrom))) break;
    query.with.push_back(ParseCte());
  } while (Accept(TokenKind::kComma));
  if (!At(Keyword::kSelect) && !At(Keyword::kFrom) && !At(TokenKind::kLeftParen)) {
    FailExpected("SELECT, or , and another query of WITH");
  }
}

// name AS (query).
Cte Parser::ParseCte() {
  Cte cte;
  if (++ctes_ > limits_.max_ctes) FailHere(base::StrCat("more than ", limits_.max_ctes, " queries in WITH"));
  cte.name = ParseName("a name for the query in WITH");
  Expect(Keyword::kAs, "and a query in parentheses");
  cte.query = ParseQueryInParens();
  return cte;
}

QueryBodyPtr Parser::ParseBody() {
  const size_t first = at_;
  QueryBodyPtr left = ParseBodyPart();
  if (!AtSetOperator(at_)) return left;
  if (left != nullptr && left->kind == BodyKind::kFrom) {
    FailHere("Syntax error: a query that begins with FROM stands in parentheses as input of a set operation");
  }
  auto operation = std::make_unique<SetOperation>();
  operation->inputs.push_back(std::move(left));
  while (AtSetOperator(at_)) {
    const Span span = Peek().span;
    SetOperator op = ParseSetOperator();
    if (operation->inputs.size() > 1 && !SameOperator(operation->op, op)) {
      Fail(span, "Syntax error: different set operations in a row; put parentheses around those that belong together");
    }
    operation->op = std::move(op);
    if (At(Keyword::kFrom)) {
      FailHere("Syntax error: a query that begins with FROM stands in parentheses as input of a set operation");
    }
    operation->inputs.push_back(ParseBodyPart());
  }
  return Finish(std::move(operation), first);
}

// An input of a set operation, or a body without one.
QueryBodyPtr Parser::ParseBodyPart() {
  const size_t first = at_;
  if (At(Keyword::kSelect)) return ParseSelect();
  if (At(TokenKind::kLeftParen)) {
    auto body = std::make_unique<ParenthesizedBody>();
    body->query = ParseQueryInParens();
    return Finish(std::move(body), first);
  }
  if (Accept(Keyword::kFrom)) {
    auto body = std::make_unique<FromBody>();
    body->from = ParseFrom();
    if (At(Keyword::kSelect) || At(Keyword::kWhere)) {
      FailHere(base::StrCat("Syntax error: after a leading FROM expected |> but found ", Describe(Peek()),
                            "; write |> ", KeywordText(Peek().keyword), ", or SELECT before FROM"));
    }
    return Finish(std::move(body), first);
  }
  FailExpected(base::StrCat("SELECT or (", AfterPrevious()));
  return nullptr;
}

SetOperator Parser::ParseSetOperator() {
  using Outer = SetOperator::Outer;
  const size_t first = at_;
  SetOperator op;
  if (Accept(Keyword::kFull)) op.outer = Outer::kFull;
  if (Accept(Keyword::kLeft)) op.outer = Outer::kLeft;
  if (Accept(Keyword::kInner)) op.outer = Outer::kInner;
  if (Accept(Keyword::kOuter) && op.outer == Outer::kNone) op.outer = Outer::kFull;
  const std::string_view name = TextOf(Peek().span);
  if (At(Keyword::kIntersect)) op.kind = SetOperator::Kind::kIntersect;
  if (At(Keyword::kExcept)) op.kind = SetOperator::Kind::kExcept;
  Next();
  op.distinct = At(Keyword::kDistinct);
  if (!Accept(Keyword::kAll) && !Accept(Keyword::kDistinct)) {
    FailExpected(base::StrCat("ALL or DISTINCT after ", base::ToUpper(name)));
  }
  ParseSetMatching(op);
  op.span = SpanFrom(first);
  if (op.outer != Outer::kNone && op.match == SetOperator::Match::kByPosition) {
    Fail(op.span, "Syntax error: FULL, LEFT, OUTER and INNER before a set operation want BY NAME or CORRESPONDING");
  }
  return op;
}

// [BY NAME [ON (a, b)]] or [[STRICT] CORRESPONDING [BY (a, b)]].
void Parser::ParseSetMatching(SetOperator& op) {
  op.strict = Accept(Keyword::kStrict);
  if (Accept(Keyword::kCorresponding)) {
    op.match = SetOperator::Match::kCorresponding;
    if (Accept(Keyword::kBy)) op.columns = ParseNameList();
  } else if (op.strict) {
    FailExpected("CORRESPONDING after STRICT");
  } else if (Accept(Keyword::kBy)) {
    op.match = SetOperator::Match::kByName;
    Expect(Keyword::kName, "after BY");
    if (Accept(Keyword::kOn)) op.columns = ParseNameList();
  }
}

void Parser::ParseOrderAndLimit(Query& query) {
  if (Accept(Keyword::kOrder)) query.order_by = ParseOrderItems();
  if (Accept(Keyword::kLimit)) ParseLimit(query.limit, query.offset);
}

// Parses what follows LIMIT.
void Parser::ParseLimit(ExprPtr& limit, ExprPtr& offset) {
  limit = ParseExpression();
  if (Accept(Keyword::kOffset)) offset = ParseExpression();
  if (At(TokenKind::kComma)) FailHere("Syntax error: LIMIT takes one number; write LIMIT count OFFSET skipped");
}

}  // namespace logquery::sql
