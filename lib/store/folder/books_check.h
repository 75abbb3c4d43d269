// Compares a folder's database with the store's own records ("books", the tables in the schema `logquery`).
#ifndef LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_
#define LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/store/folder_check.h"

namespace logquery::store {

// Adds to `findings`: columns that differ from the records, tables of the schema that are missing, files that are
// stored twice, and missing rows; with `read_rows` also unreadable values. Uses one snapshot. An error status means
// that the database itself failed.
absl::Status CheckBooks(duckdb_connection connection, const std::vector<TableLayout>& layouts, bool read_rows,
                        std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_
