// Maps function names of other databases to GoogleSQL's.
#ifndef LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_
#define LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::sql {

struct ForeignFunction {
  std::string_view name;
  std::vector<std::string> ours;  // GoogleSQL's equivalents, the nearest first
};

const std::vector<ForeignFunction>& ForeignFunctions();

// Returns GoogleSQL's equivalents of another database's function, the nearest first; `name` may have any case. NOW
// gives CURRENT_TIMESTAMP. Empty: the function is unknown.
std::vector<std::string> FunctionsLike(std::string_view foreign);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_
