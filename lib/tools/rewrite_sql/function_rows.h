// The functions that are rewritten by a template, as data. What needs more than a template is in to_clickhouse_*.cc.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_FUNCTION_ROWS_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_FUNCTION_ROWS_H_

#include <string_view>

namespace logquery::tools {

struct FunctionRow {
  std::string_view name;    // in GoogleSQL, upper case
  std::string_view types;   // of the arguments, a letter for each: s STRING, i INT64, f FLOAT64, n a number, a an array
  std::string_view text;    // in ClickHouse's SQL: _1, _2 … are the arguments
  std::string_view result;  // "": NULL if an argument is; "null": may be NULL; "never": is not NULL
  std::string_view note;    // "": the meanings are the same
};

// nullptr: there is none with this name and so many arguments.
const FunctionRow* FindFunctionRow(std::string_view name, size_t arguments);

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_FUNCTION_ROWS_H_
