// A caller's text inside a message: in quotes, on one line, and short.
#ifndef LOGQUERY_LIB_BASE_QUOTED_TEXT_H_
#define LOGQUERY_LIB_BASE_QUOTED_TEXT_H_

#include <string>
#include <string_view>

namespace logquery::base {

// `text` in double quotes, control characters and quotes escaped, cut after 100 code points; valid UTF-8.
std::string QuotedText(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_QUOTED_TEXT_H_
