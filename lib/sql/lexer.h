// Splits text into tokens.
//
// Comments and hints (`@{…}`: advice to an engine, without effect on results) are skipped. Text that GoogleSQL's
// grammar does not allow, such as invalid UTF-8, an unclosed string or an unknown character, is an error with its
// place.
#ifndef LOGQUERY_LIB_SQL_LEXER_H_
#define LOGQUERY_LIB_SQL_LEXER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "lib/sql/token.h"

namespace logquery::sql {

// InvalidArgument with the place: a lexical error, or parentheses and brackets nested more deeply than `max_depth`.
absl::StatusOr<TokenList> Lex(std::string_view text, int max_depth);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LEXER_H_
