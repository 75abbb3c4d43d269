// Writes the function table with DuckDB's support as documentation: docs/sql_support.md and `logquery check
// --functions`.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_DOCS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_DOCS_H_

#include <string>

namespace logquery::emit {

// Returns all functions that a query may call, in Markdown: a table for each kind, a line for each function, sorted by
// name.
std::string FunctionTableMarkdown();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_DOCS_H_
