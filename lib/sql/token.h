// The tokens of a query's text, from the lexer to the parser.
#ifndef LOGQUERY_LIB_SQL_TOKEN_H_
#define LOGQUERY_LIB_SQL_TOKEN_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lib/sql/ast.h"
#include "lib/sql/keywords.h"

namespace logquery::sql {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,        // a name or a keyword, without quotes
  kQuotedName,  // `name`; `value` has it without quotes
  kString,      // `value` has the content
  kBytes,       // `value` has the content
  kInteger,
  kFloat,
  kParameter,  // @name; `value` has the name
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kComma,
  kDot,
  kSemicolon,
  kColon,
  kDoubleColon,
  kStar,
  kSlash,
  kPlus,
  kMinus,
  kTilde,
  kConcat,
  kShiftLeft,
  kAmpersand,
  kCaret,
  kBar,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,  // `>>` is two of them, because it can also close two types
  kGreaterOrEqual,
  kPipe,    // |>
  kNamed,   // =>
  kLambda,  // ->
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;  // of a kWord
  Span span;
  uint32_t value = 0;  // index into TokenList::values
};

// The tokens of a text, followed by one kEnd directly after the last of them.
struct TokenList {
  static constexpr uint32_t kNoPartner = std::numeric_limits<uint32_t>::max();

  std::vector<Token> tokens;
  std::vector<std::string> values;
  // For each opening parenthesis or bracket the index of the closing one; otherwise kNoPartner.
  std::vector<uint32_t> partners;
};

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_TOKEN_H_
