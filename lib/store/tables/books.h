// The store's records ("books"): its own tables in the folder's database, in the schema "logquery". store_schema.h
// lists them.
#ifndef LOGQUERY_LIB_STORE_TABLES_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_BOOKS_H_

#include <string>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::store {

// Returns whether such a table exists; older folders may lack it.
absl::StatusOr<bool> HasBooks(duckdb_connection connection, const std::string& name);

// Returns whether this table of them has the column: a folder that is open for reading only may be older than the column.
absl::StatusOr<bool> HasBookColumn(duckdb_connection connection, const std::string& name, const std::string& column);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_BOOKS_H_
