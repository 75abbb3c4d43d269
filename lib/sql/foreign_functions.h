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
  std::string_view form = {};     // how a call is written instead, where no function is its equivalent by itself
};

const std::vector<ForeignFunction>& ForeignFunctions();

// Returns GoogleSQL's equivalents of another database's function, the nearest first; `name` may have any case. NOW
// gives CURRENT_TIMESTAMP. Empty: the function is unknown.
std::vector<std::string> FunctionsLike(std::string_view foreign);
// Returns how a call of another database's function is written instead: "value IN UNNEST(array)" for HAS; `name` may have any
// case. Empty: FunctionsLike has its equivalents, or the function is unknown.
std::string_view FormLike(std::string_view foreign);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_FOREIGN_FUNCTIONS_H_
