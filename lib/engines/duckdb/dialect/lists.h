// DuckDB's list functions.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LISTS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LISTS_H_

#include "lib/emit/lists.h"

namespace logquery::emit {

const ListDialect& DuckDbLists();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LISTS_H_
