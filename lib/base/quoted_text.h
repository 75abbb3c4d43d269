// Quotes a caller's text for a message: on one line, and truncated.
#ifndef LOGQUERY_LIB_BASE_QUOTED_TEXT_H_
#define LOGQUERY_LIB_BASE_QUOTED_TEXT_H_

#include <string>
#include <string_view>

namespace logquery::base {

// Returns `text` in double quotes, with control characters and quotes escaped, truncated after 100 code points; valid
// UTF-8.
std::string QuotedText(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_QUOTED_TEXT_H_
