// Finds the ends of GoogleSQL strings, bytes and quoted names, and decodes their contents.
#ifndef LOGQUERY_LIB_SQL_LITERAL_TEXT_H_
#define LOGQUERY_LIB_SQL_LITERAL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "lib/sql/ast.h"

namespace logquery::sql {

struct QuoteStyle {
  char quote = '\'';    // ', " or `
  bool triple = false;  // '''…''', which may contain line ends
  bool raw = false;     // backslashes do not escape
  bool bytes = false;

  size_t width() const { return triple ? 3 : 1; }
};

// Returns the offset of the closing quote for content that starts at `begin`; npos if there is none. In '…' and "…" a
// doubled quote does not close the text: GoogleSQL does not use it, but other databases do.
size_t FindClosingQuote(std::string_view text, size_t begin, const QuoteStyle& style);

// Appends the unescaped text[content] to `out`. InvalidArgument, with the place of an invalid escape.
absl::Status DecodeQuoted(std::string_view text, Span content, const QuoteStyle& style, std::string& out);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LITERAL_TEXT_H_
