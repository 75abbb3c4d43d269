// Strings, bytes and quoted names as GoogleSQL writes them: where they end, and what they say.
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
  bool triple = false;  // '''…''', which may hold line ends
  bool raw = false;     // backslashes stand for themselves
  bool bytes = false;

  size_t width() const { return triple ? 3 : 1; }
};

// The offset of the closing quote for content that begins at `begin`; npos when there is none. In '…' and "…" a
// doubled quote does not close: GoogleSQL has no use for it, and those who come from other databases write it.
size_t FindClosingQuote(std::string_view text, size_t begin, const QuoteStyle& style);

// Appends what text[content] says, with escapes resolved, to `out`. InvalidArgument at the place of a wrong escape.
absl::Status DecodeQuoted(std::string_view text, Span content, const QuoteStyle& style, std::string& out);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_LITERAL_TEXT_H_
