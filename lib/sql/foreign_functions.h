// What other databases call a function.
#ifndef LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_
#define LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::sql {

struct ForeignFunction {
  std::string_view name;
  std::vector<std::string> ours;  // GoogleSQL's for the same, the nearest first
};

const std::vector<ForeignFunction>& ForeignFunctions();

// GoogleSQL's names for what another database's function of that name does, in any letter case, the nearest first: of NOW
// CURRENT_TIMESTAMP. None: no such function is known.
std::vector<std::string> FunctionsLike(std::string_view foreign);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_
