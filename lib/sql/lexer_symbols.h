// Operators, punctuation and white space, and what to say about characters that GoogleSQL has no use for.
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
  std::string error;  // not empty: no token begins there, and why
};

// The longest operator or punctuation at `at`.
Symbol FindSymbol(std::string_view text, size_t at);

// The length of the white space character at `at`, in bytes; 0 when there is none. Unicode's spaces count: they come
// with text that was copied from a web page.
size_t BlankLength(std::string_view text, size_t at);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LEXER_SYMBOLS_H_
