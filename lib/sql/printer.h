// Canonical GoogleSQL from a syntax tree: one spelling for each construct, upper-case keywords, quotes and parentheses
// only where they are needed. Names of functions stay as they were written.
//
// Parsing what was printed gives the same tree again, though it may need wider ParseLimits: the text can be longer than
// what was parsed, and deeper, as a::INT64 becomes CAST(a AS INT64). Text goes out on one line.
#ifndef LOGQUERY_LIB_SQL_PRINTER_H_
#define LOGQUERY_LIB_SQL_PRINTER_H_

#include <string>
#include <string_view>

#include "lib/sql/ast.h"

namespace logquery::sql {

std::string Print(const Query& query);
std::string Print(const Expr& expr);

// `name`, in back-quotes when it is a reserved keyword or no plain identifier.
std::string QuoteIdentifier(std::string_view name);
// "text" as a GoogleSQL literal, escapes where needed.
std::string QuoteString(std::string_view text);
std::string QuoteBytes(std::string_view bytes);

// Whether the word, in any case, is reserved in GoogleSQL.
bool IsReservedKeyword(std::string_view word);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PRINTER_H_
