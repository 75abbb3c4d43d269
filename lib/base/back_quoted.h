// Quotes names as GoogleSQL and ClickHouse SQL read them.
#ifndef LOGQUERY_LIB_BASE_BACK_QUOTED_H_
#define LOGQUERY_LIB_BASE_BACK_QUOTED_H_

#include <string>
#include <string_view>

namespace logquery::base {

// Returns `name` between back-quotes, with a backslash before each back-quote and backslash.
inline std::string BackQuoted(std::string_view name) {
  std::string quoted = "`";
  for (const char c : name) {
    if (c == '`' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "`";
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_BACK_QUOTED_H_
