// The function table, with what DuckDB makes of each function, as documentation: docs/sql_support.md and `logquery check --functions`.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_DOCS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_DOCS_H_

#include <string>

namespace logquery::emit {

// Every function that a query may call, in Markdown: a table for each kind, a line for each function, sorted by name.
std::string FunctionTableMarkdown();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_DOCS_H_
