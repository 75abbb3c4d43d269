// Rows of JSON as people compare them: the order of members does not count, nor does the form of a number.
#ifndef LOGQUERY_SHIM_CLI_QUERY_ROW_KEY_H_
#define LOGQUERY_SHIM_CLI_QUERY_ROW_KEY_H_

#include <string>
#include <string_view>

namespace logquery::shim {

// Returns a text that equal rows share: 10, 10.0 and 1e1 are equal, 10 and "10" are not. A text that is not JSON is its own key.
std::string RowKey(std::string_view row);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_ROW_KEY_H_
