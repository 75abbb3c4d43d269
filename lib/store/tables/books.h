// The store's books: tables of its own in the folder's database, in schema "logquery". store_schema.h says what each holds.
#ifndef LOGQUERY_LIB_STORE_TABLES_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_BOOKS_H_

#include <string>

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"

namespace logquery::store {

// Whether there is such a table of the store's books; a folder of before may lack it.
absl::StatusOr<bool> HasBooks(duckdb_connection connection, const std::string& name);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_BOOKS_H_
