// Two lists of rows as people compare them: which rows are missing, and which came in their place.
#ifndef LOGQUERY_SHIM_COMMAND_ROW_DIFF_H_
#define LOGQUERY_SHIM_COMMAND_ROW_DIFF_H_

#include <string>
#include <vector>

namespace logquery::shim {

// A line for each row that differs, "- ROW" that was expected and "+ ROW" that came, with equal rows beside them as "  ROW" and the
// others left out as "  …". Empty: the lists are equal.
std::vector<std::string> DiffRows(const std::vector<std::string>& expected, const std::vector<std::string>& got);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_ROW_DIFF_H_
