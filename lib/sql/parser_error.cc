// Builds the messages of syntax errors, with suggestions for misspelt keywords and for other databases' statements.
#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {
namespace {

// Returns the keywords of queries, to compare misspelt words with.
const std::vector<std::string>& ClauseKeywords() {
  static const auto* const keywords = new std::vector<std::string>{
      "SELECT", "FROM",     "WHERE",     "GROUP",  "HAVING", "QUALIFY", "WINDOW",    "ORDER",
      "LIMIT",  "OFFSET",   "JOIN",      "CROSS",  "INNER",  "LEFT",    "RIGHT",     "FULL",
      "OUTER",  "UNION",    "INTERSECT", "EXCEPT", "WITH",   "UNNEST",  "USING",     "BETWEEN",
      "LIKE",   "DISTINCT", "CASE",      "WHEN",   "THEN",   "ELSE",    "PARTITION", "OVER",
  };
  return *keywords;
}

// Words that begin statements, in GoogleSQL and in other common databases. None of these statements is a query.
constexpr std::string_view kStatements[] = {
    "ALTER",   "ANALYZE", "ASSERT",  "ATTACH",   "BEGIN",  "CALL",    "CHECKPOINT", "CLONE",    "COMMENT",
    "COMMIT",  "COPY",    "CREATE",  "DECLARE",  "DEFINE", "DELETE",  "DESC",       "DESCRIBE", "DETACH",
    "DROP",    "EXECUTE", "EXPLAIN", "EXPORT",   "FOR",    "GRANT",   "IF",         "IMPORT",   "INSERT",
    "INSTALL", "LOAD",    "LOOP",    "MERGE",    "PRAGMA", "PREPARE", "RAISE",      "RENAME",   "REPEAT",
    "REPLACE", "RESET",   "REVOKE",  "ROLLBACK", "SET",    "SHOW",    "START",      "TABLE",    "TRUNCATE",
    "UNDROP",  "UPDATE",  "UPSERT",  "USE",      "VACUUM", "VALUES",  "WHILE",
};

// Long texts would hide what is wrong with them.
constexpr size_t kLongestShown = 40;

bool IsClause(Keyword keyword) {
  switch (keyword) {
    case Keyword::kFrom:
    case Keyword::kWhere:
    case Keyword::kGroup:
    case Keyword::kHaving:
    case Keyword::kQualify:
    case Keyword::kWindow:
    case Keyword::kOrder:
    case Keyword::kLimit:
      return true;
    default:
      return false;
  }
}

// Reserved words that are hardly ever meant as a name.
bool IsStructure(Keyword keyword) {
  switch (keyword) {
    case Keyword::kAnd:
    case Keyword::kAs:
    case Keyword::kBetween:
    case Keyword::kBy:
    case Keyword::kElse:
    case Keyword::kEnd:
    case Keyword::kExcept:
    case Keyword::kIn:
    case Keyword::kIntersect:
    case Keyword::kIs:
    case Keyword::kJoin:
    case Keyword::kLike:
    case Keyword::kNot:
    case Keyword::kOn:
    case Keyword::kOr:
    case Keyword::kSelect:
    case Keyword::kThen:
    case Keyword::kUnion:
    case Keyword::kUsing:
    case Keyword::kWhen:
    case Keyword::kWith:
      return true;
    default:
      return IsClause(keyword);
  }
}

}  // namespace

std::string Parser::Describe(const Token& token) const {
  const std::string_view text = TextOf(token.span);
  size_t cut = std::min(text.size(), kLongestShown);
  while (cut > 0 && cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  const std::string shown = base::StrCat(text.substr(0, cut), cut < text.size() ? "…" : "");
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the query";
    case TokenKind::kWord:
      return IsReserved(token.keyword) ? base::StrCat("keyword ", KeywordText(token.keyword))
                                       : base::StrCat("identifier ", shown);
    case TokenKind::kQuotedName:
      return base::StrCat("identifier ", shown);
    case TokenKind::kString:
      return base::StrCat("string ", shown);
    case TokenKind::kBytes:
      return base::StrCat("bytes ", shown);
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return base::StrCat("number ", shown);
    case TokenKind::kParameter:
      return base::StrCat("parameter ", shown);
    default:
      return shown;
  }
}

// " after WHERE", for what has to follow the token before this one; empty where that says nothing.
std::string Parser::AfterPrevious() const {
  if (at_ == 0) return "";
  const Token& previous = list_.tokens[at_ - 1];
  if (previous.keyword != Keyword::kNone) return base::StrCat(" after ", KeywordText(previous.keyword));
  if (previous.kind >= TokenKind::kLeftParen) return base::StrCat(" after ", TextOf(previous.span));
  return "";
}

void Parser::Fail(Span place, std::string_view message, std::vector<std::string> nearest) {
  if (!failed()) status_ = TextError(text_, place, message, std::move(nearest));
}

// Fails with the keyword that `token` may have been meant to be, if there is one. It has to begin with the same letter:
// without that, too many names are near to some keyword.
bool Parser::SuggestsKeyword(const Token& token, std::string_view what) {
  const std::string_view word = TextOf(token.span);
  if (token.kind != TokenKind::kWord || IsReserved(token.keyword) || word.size() < 3) return false;
  for (const std::string& keyword : NearestNames(word, ClauseKeywords())) {
    if (base::EqualsIgnoreCase(keyword, word)) return false;
    if (keyword.front() != absl::ascii_toupper(static_cast<unsigned char>(word.front()))) continue;
    Fail(token.span, base::StrCat("Syntax error: expected ", what, " but found ", Describe(token)), {keyword});
    return true;
  }
  return false;
}

// Returns what to write in place of another database's syntax, which ends at the current token; empty: it is none that is known.
std::string_view Parser::AdviceForForeign() const {
  const auto is_word = [this](const Token& token, std::string_view word) {
    return token.kind == TokenKind::kWord && base::EqualsIgnoreCase(TextOf(token.span), word);
  };
  const std::vector<Token>& tokens = list_.tokens;
  const Token& found = Peek();
  if (found.kind == TokenKind::kTilde) return "; REGEXP_CONTAINS(text, pattern) looks for a pattern";
  if (found.kind == TokenKind::kLambda) {
    return "; JSON_VALUE(json, '$.name') reads a field of JSON, and record.name one of a record";
  }
  if (found.keyword == Keyword::kAny && At(TokenKind::kLeftParen, 1))
    return "; value IN UNNEST(array) compares a value with an array's elements";
  if (found.keyword == Keyword::kContains) {
    return "; CONTAINS_SUBSTR(text, 'part') looks for a part of a text, value IN UNNEST(array) for an element of an "
           "array";
  }
  if (found.keyword == Keyword::kWithin) {
    return "; a percentile is written APPROX_QUANTILES(x, 100)[OFFSET(95)], or PERCENTILE_CONT(x, 0.95) OVER ()";
  }
  if (found.kind == TokenKind::kLeftParen && at_ > 0 && is_word(tokens[at_ - 1], "FILTER")) {
    return "; COUNTIF(condition) counts rows, and other aggregates leave out NULL: SUM(IF(condition, x, NULL))";
  }
  // SELECT TOP 10 *, SELECT TOP (10) *: the error shows at the number or behind the star.
  constexpr size_t kBehindTop = 5;
  for (size_t back = 1; back <= kBehindTop && back + 1 <= at_; ++back) {
    const bool after_select = tokens[at_ - back - 1].keyword == Keyword::kSelect;
    if (after_select && is_word(tokens[at_ - back], "TOP")) return "; LIMIT 10 at the end of a query takes 10 rows";
  }
  return "";
}

void Parser::FailExpected(std::string_view what) {
  if (failed()) return;
  // `FROM a WHER x = 1`: WHER was taken for a's alias, and the error shows only one word later.
  if (implicit_alias_.has_value() && *implicit_alias_ + 1 == at_) {
    const Token& alias = list_.tokens[*implicit_alias_];
    if (alias.keyword == Keyword::kOffset) return Fail(alias.span, "Syntax error: OFFSET stands after LIMIT");
    if (SuggestsKeyword(alias, what)) return;
  }
  const Token& found = Peek();
  if (SuggestsKeyword(found, what)) return;
  std::string message = base::StrCat("Syntax error: expected ", what, " but found ", Describe(found));
  const std::string_view advice = AdviceForForeign();
  const bool wants_name = what.substr(0, 2) == "a " || what.substr(0, 3) == "an ";
  if (wants_name && advice.empty() && IsReserved(found.keyword) && !IsStructure(found.keyword)) {
    base::StrAppend(&message, " (a name that is a keyword stands in back-quotes)");
  }
  message += advice;
  const bool after_number = at_ > 0 && list_.tokens[at_ - 1].kind == TokenKind::kInteger;
  if (after_number && what == ")" && found.kind == TokenKind::kWord)
    message += "; an interval is written INTERVAL 1 DAY";
  Fail(found.span, message);
}

void Parser::FailUnsupported(Span place, std::string_view what) {
  Fail(place, base::StrCat(what, " is not supported"));
}

void Parser::FailAtEnd() {
  const Token& found = Peek();
  if (IsClause(found.keyword)) {
    Fail(found.span, base::StrCat("Syntax error: expected the end of the query but found ", Describe(found),
                                  "; clauses come in the order FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, "
                                  "ORDER BY, LIMIT"));
  }
  FailExpected("the end of the query");
}

void Parser::FailNotSelect() {
  const Token& found = Peek();
  if (found.kind == TokenKind::kEnd) return Fail(found.span, "Syntax error: the query is empty; expected SELECT");
  const std::string word = base::ToUpper(TextOf(found.span));
  const auto* const statement = std::find(std::begin(kStatements), std::end(kStatements), std::string_view(word));
  if (found.kind == TokenKind::kWord && statement != std::end(kStatements)) {
    const bool lists = word == "SHOW" || word == "DESCRIBE" || word == "DESC";
    return Fail(found.span, base::StrCat("only SELECT is allowed, found ", word,
                                         lists ? "; `logquery stats` lists the logs of a data folder, and SELECT * "
                                                 "FROM a log LIMIT 1 shows its fields"
                                               : ""));
  }
  FailExpected("SELECT, WITH, FROM or (");
}

void Parser::EnterLevel() {
  if (++level_ > limits_.max_depth) FailHere(base::StrCat("more than ", limits_.max_depth, " levels of nesting"));
}

void Parser::LengthenChain() {
  if (++chain_height_ > limits_.max_chain) {
    FailHere(base::StrCat("more than ", limits_.max_chain, " operators in a row"));
  }
}

}  // namespace logquery::sql
