// Tokens, errors, and the statement around the query.
#include "lib/clickhouse_sql/parser.h"

#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

const Token& Parser::Peek(size_t ahead) const {
  return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : tokens_.back();
}

Token Parser::Take() {
  const Token& token = Peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::IsWord(std::string_view word, size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.kind == TokenKind::kName && base::EqualsIgnoreCase(token.text, word);
}

bool Parser::IsSymbol(std::string_view symbol, size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.kind == TokenKind::kSymbol && token.text == symbol;
}

bool Parser::TakeWord(std::string_view word) {
  if (!IsWord(word)) return false;
  ++at_;
  return true;
}

bool Parser::TakeWords(std::initializer_list<std::string_view> words) {
  size_t ahead = 0;
  for (const std::string_view word : words) {
    if (!IsWord(word, ahead++)) return false;
  }
  at_ += words.size();
  return true;
}

bool Parser::TakeSymbol(std::string_view symbol) {
  if (!IsSymbol(symbol)) return false;
  ++at_;
  return true;
}

absl::Status Parser::WantWord(std::string_view word) { return TakeWord(word) ? absl::OkStatus() : Unexpected(word); }

absl::Status Parser::WantSymbol(std::string_view symbol) {
  return TakeSymbol(symbol) ? absl::OkStatus() : Unexpected(StrCat("'", symbol, "'"));
}

absl::Status Parser::Error(Span span, std::string_view message) const { return sql::TextError(text_, span, message); }

absl::Status Parser::Unexpected(std::string_view expected) const {
  const Token& token = Peek();
  if (token.kind == TokenKind::kEnd) return Error(token.span, StrCat("expected ", expected, ", but the query ends"));
  const std::string_view written = text_.substr(token.span.begin, token.span.end - token.span.begin);
  return Error(token.span, StrCat("expected ", expected, ", but found ", written.substr(0, 60)));
}

absl::Status Parser::CheckLevel() const {
  if (level_ <= limits_.max_depth) return absl::OkStatus();
  return Error(Peek().span, StrCat("the query is nested deeper than max_depth, ", limits_.max_depth, " levels"));
}

Span Parser::Since(uint32_t begin) const {
  const uint32_t end = at_ == 0 ? begin : tokens_[at_ - 1].span.end;
  return {begin, end < begin ? begin : end};
}

absl::StatusOr<std::string> Parser::WantName(std::string_view what) {
  if (Peek().kind != TokenKind::kName && Peek().kind != TokenKind::kQuotedName) return Unexpected(what);
  return Take().text;
}

absl::Status Parser::RefuseStatement() const {
  if (IsWord("SELECT") || IsWord("WITH") || IsSymbol("(")) return absl::OkStatus();
  if (Peek().kind == TokenKind::kEnd) return Error(Peek().span, "the query is empty; write one SELECT");
  const Span span = Peek().span;
  return Error(
      span, StrCat("only SELECT is allowed here, not ", text_.substr(span.begin, span.end - span.begin).substr(0, 60)));
}

// Refuses what may follow a SELECT in ClickHouse, by its name.
absl::Status Parser::RefuseTail() {
  constexpr std::array<std::string_view, 11> kRefused = {"SETTINGS", "FORMAT",      "INTO",  "INTERSECT",
                                                         "EXCEPT",   "SAMPLE",      "FINAL", "WINDOW",
                                                         "PARALLEL", "INTERPOLATE", "FETCH"};
  for (const std::string_view word : kRefused) {
    if (!IsWord(word)) continue;
    return Error(Peek().span, StrCat(word == "INTO" ? "INTO OUTFILE" : word, " is not allowed here"));
  }
  return absl::OkStatus();
}

absl::StatusOr<QueryPtr> Parser::ParseStatement() {
  LOGQUERY_RETURN_IF_ERROR(RefuseStatement());
  LOGQUERY_ASSIGN_OR_RETURN(QueryPtr query, ParseUnion());
  LOGQUERY_RETURN_IF_ERROR(RefuseTail());
  if (TakeSymbol(";")) {
    while (TakeSymbol(";")) continue;
    if (Peek().kind != TokenKind::kEnd) return Error(Peek().span, "only one statement is allowed; remove this one");
  }
  if (Peek().kind != TokenKind::kEnd) return Unexpected("the end of the query");
  return query;
}

absl::StatusOr<QueryPtr> ParseQuery(std::string_view text, const ParseLimits& limits) {
  if (static_cast<int64_t>(text.size()) > limits.max_bytes) {
    return sql::TextError(text, {},
                          StrCat("the query has ", text.size(), " bytes, more than max_bytes, ", limits.max_bytes));
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Token> tokens, Lex(text));
  return Parser(text, limits, std::move(tokens)).ParseStatement();
}

}  // namespace logquery::clickhouse_sql
