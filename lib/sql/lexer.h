// From text to tokens.
//
// Comments and hints (`@{…}`: advice to an engine, which changes no result) are left out. What GoogleSQL's grammar
// can't hold, such as broken UTF-8, an unclosed string or a character that no token begins with, is an error at its
// place.
#ifndef LOGQUERY_LIB_SQL_LEXER_H_
#define LOGQUERY_LIB_SQL_LEXER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "lib/sql/token.h"

namespace logquery::sql {

// InvalidArgument with the place: a lexical error, or parentheses and brackets nested deeper than `max_depth`.
absl::StatusOr<TokenList> Lex(std::string_view text, int max_depth);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LEXER_H_
