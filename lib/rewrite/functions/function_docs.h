// The function table as documentation: docs/sql_support.md and `logquery check --functions`.
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_DOCS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_DOCS_H_

#include <string>

namespace logquery::rewrite {

// Every function that a query may call, in Markdown: a table for each kind, a line for each function, sorted by name.
std::string FunctionTableMarkdown();

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_DOCS_H_
