// STRING and BYTES as literals of GoogleSQL, as FORMAT's %T prints them.
#ifndef LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_
#define LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_

#include <string>
#include <string_view>

namespace logquery::functions {

// In double quotes, or in single ones where the text has double quotes and no single ones.
std::string QuotedString(std::string_view text);
// The same, all bytes but printable ASCII escaped.
std::string QuotedBytes(std::string_view bytes);
// Without quotes.
std::string EscapedBytesText(std::string_view bytes);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_
