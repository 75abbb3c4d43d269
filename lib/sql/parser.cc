// Handles tokens and names, and implements the entry points.
#include "lib/sql/parser.h"

#include <utility>

#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "lib/sql/lexer.h"
#include "lib/sql/parser_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {

// ---------------------------------------------------------------------------------------------------- tokens

bool Parser::AtWordOf(std::string_view word, size_t distance) const {
  return At(TokenKind::kWord, distance) && base::EqualsIgnoreCase(TextOf(Peek(distance).span), word);
}

bool Parser::Expect(TokenKind kind, std::string_view where) {
  if (Accept(kind)) return true;
  FailExpected(where);
  return false;
}

bool Parser::Expect(Keyword keyword, std::string_view where) {
  if (Accept(keyword)) return true;
  FailExpected(base::StrCat(KeywordText(keyword), where.empty() ? "" : " ", where));
  return false;
}

void Parser::ExpectClosing(size_t open) {
  const bool paren = list_.tokens[open].kind == TokenKind::kLeftParen;
  if (Accept(paren ? TokenKind::kRightParen : TokenKind::kRightBracket)) return;
  const std::string_view closing = paren ? ")" : "]";
  if (list_.partners[open] != TokenList::kNoPartner) return FailExpected(closing);
  const base::TextPlace place = base::FindPlace(text_, list_.tokens[open].span.begin);
  FailExpected(base::StrCat(closing, " for the ", TextOf(list_.tokens[open].span), " that line ", place.line,
                            ", column ", place.column, " opens"));
}

bool Parser::ClosesBefore(size_t open, TokenKind kind) const {
  const uint32_t closing = list_.partners[open];
  return closing != TokenList::kNoPartner && list_.tokens[closing + 1].kind == kind;
}

Identifier Parser::TakeName() {
  const Token token = Next();
  const bool quoted = token.kind == TokenKind::kQuotedName;
  return {quoted ? ValueOf(token) : std::string(TextOf(token.span)), token.span, quoted};
}

Identifier Parser::ParseName(std::string_view what) {
  if (AtName()) return TakeName();
  FailExpected(what);
  return {};
}

std::optional<Identifier> Parser::ParseAliasAfterAs(std::string_view what) {
  if (At(TokenKind::kString)) {
    FailHere("Syntax error: an alias is a name, not a string; write it plain or in back-quotes");
  }
  return ParseName(what);
}

std::optional<Identifier> Parser::ParseAlias() {
  if (Accept(Keyword::kAs)) return ParseAliasAfterAs("an alias after AS");
  if (!AtName() || failed()) return std::nullopt;
  implicit_alias_ = at_;
  return TakeName();
}

std::vector<Identifier> Parser::ParseNameList() {
  std::vector<Identifier> names;
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( and names of columns")) return names;
  do {
    names.push_back(ParseName("a column's name"));
  } while (Accept(TokenKind::kComma));
  ExpectClosing(open);
  return names;
}

Span Parser::SpanFrom(size_t first_token) const {
  const Span begin = list_.tokens[first_token].span;
  const Span last = list_.tokens[at_ > first_token ? at_ - 1 : first_token].span;
  return {begin.begin, last.end};
}

// ---------------------------------------------------------------------------------------------------- entry points

absl::StatusOr<QueryPtr> Parser::ParseStatement() {
  if (!StartsQuery() && !At(TokenKind::kLeftParen)) FailNotSelect();
  QueryPtr query = ParseQuery();
  if (Accept(TokenKind::kSemicolon) && !At(TokenKind::kEnd)) {
    FailHere(base::StrCat("Syntax error: only one statement is allowed, found ", Describe(Peek()), " after ;"));
  }
  if (!failed() && !At(TokenKind::kEnd)) FailAtEnd();
  if (failed()) return status_;
  query->table_names = std::move(table_names_);
  return query;
}

absl::StatusOr<ExprPtr> Parser::ParseWholeExpression() {
  ExprPtr expr = ParseExpression();
  if (!failed() && !At(TokenKind::kEnd)) FailExpected("the end of the expression");
  if (failed()) return status_;
  return expr;
}

namespace {

absl::StatusOr<TokenList> LexWithin(std::string_view text, const ParseLimits& limits) {
  if (static_cast<int64_t>(text.size()) > limits.max_bytes) {
    return absl::InvalidArgumentError(
        base::StrCat("the query has ", text.size(), " bytes, more than the ", limits.max_bytes, " allowed"));
  }
  return Lex(text, limits.max_depth);
}

}  // namespace

absl::StatusOr<QueryPtr> ParseQuery(std::string_view text, const ParseLimits& limits) {
  absl::StatusOr<TokenList> tokens = LexWithin(text, limits);
  if (!tokens.ok()) return tokens.status();
  return Parser(text, *tokens, limits).ParseStatement();
}

absl::StatusOr<ExprPtr> ParseExpression(std::string_view text, const ParseLimits& limits) {
  absl::StatusOr<TokenList> tokens = LexWithin(text, limits);
  if (!tokens.ok()) return tokens.status();
  return Parser(text, *tokens, limits).ParseWholeExpression();
}

}  // namespace logquery::sql
