// Formats text of unknown content for a line of a log or a cell on a terminal.
#ifndef LOGQUERY_LIB_BASE_ONE_LINE_H_
#define LOGQUERY_LIB_BASE_ONE_LINE_H_

#include <string>
#include <string_view>

namespace logquery::base {

// Returns how many terminal columns `text` occupies: wide characters two, combining ones none.
int DisplayWidth(std::string_view text);

// Returns `text` on one line: control characters, which could control the reader's terminal, become visible symbols,
// and invalid UTF-8 becomes U+FFFD. Truncated to `width` columns with a final … if it is longer.
std::string OneLine(std::string_view text, int width);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ONE_LINE_H_
