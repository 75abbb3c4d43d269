// Writes STRING and BYTES values as GoogleSQL literals, as FORMAT's %T does.
#ifndef LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_
#define LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_

#include <string>
#include <string_view>

namespace logquery::functions {

// Uses double quotes, or single quotes if the text has double quotes but no single ones.
std::string QuotedString(std::string_view text);
// The same, but escapes all bytes except printable ASCII.
std::string QuotedBytes(std::string_view bytes);
// The text between the quotes.
std::string EscapedBytesText(std::string_view bytes);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_QUOTED_LITERAL_H_
