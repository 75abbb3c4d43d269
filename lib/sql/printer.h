// Prints a syntax tree as canonical GoogleSQL: one spelling for each construct, upper-case keywords, quotes and
// parentheses only where necessary. Function names stay as written.
//
// Parsing the output gives the same tree, but may need higher ParseLimits: the output can be longer and deeper than the
// original, because a::INT64 becomes CAST(a AS INT64). The output is on one line.
#ifndef LOGQUERY_LIB_SQL_PRINTER_H_
#define LOGQUERY_LIB_SQL_PRINTER_H_

#include <string>
#include <string_view>

#include "lib/sql/ast.h"

namespace logquery::sql {

std::string Print(const Query& query);
std::string Print(const Expr& expr);

// Returns `name`, in back-quotes if it is a reserved keyword or not a plain identifier.
std::string QuoteIdentifier(std::string_view name);
// Returns text as a GoogleSQL literal, with escapes where necessary.
std::string QuoteString(std::string_view text);
std::string QuoteBytes(std::string_view bytes);

// Returns whether the word, in any case, is reserved in GoogleSQL.
bool IsReservedKeyword(std::string_view word);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PRINTER_H_
