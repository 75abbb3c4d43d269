// Compares two lists of rows for people: which rows are missing, and which appeared instead.
#ifndef LOGQUERY_SHIM_CLI_QUERY_ROW_DIFF_H_
#define LOGQUERY_SHIM_CLI_QUERY_ROW_DIFF_H_

#include <string>
#include <vector>

namespace logquery::shim {

// Returns one line per differing row, "- ROW" if it was expected and "+ ROW" if it appeared, with adjacent equal rows
// as "  ROW" and the others omitted as "  …". Empty: the lists are equal.
std::vector<std::string> DiffRows(const std::vector<std::string>& expected, const std::vector<std::string>& got);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_ROW_DIFF_H_
