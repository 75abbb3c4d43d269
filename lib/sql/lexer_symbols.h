// Operators, punctuation and whitespace, and errors for characters that GoogleSQL does not use.
#ifndef LOGQUERY_LIB_SQL_LEXER_SYMBOLS_H_
#define LOGQUERY_LIB_SQL_LEXER_SYMBOLS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/sql/token.h"

namespace logquery::sql {

struct Symbol {
  TokenKind kind = TokenKind::kEnd;
  size_t length = 1;  // in bytes
  std::string error;  // not empty: no token starts here, for this reason
};

// Returns the longest operator or punctuation at `at`.
Symbol FindSymbol(std::string_view text, size_t at);

// Returns the length in bytes of the whitespace character at `at`; 0 if there is none. Includes Unicode's spaces, which
// occur in text copied from web pages.
size_t BlankLength(std::string_view text, size_t at);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LEXER_SYMBOLS_H_
