// The database of a folder against what its books say of it.
#ifndef LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_
#define LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/store/folder_check.h"

namespace logquery::store {

// Adds to `findings`: columns that are not as the books have them, tables that the schema has and the folder lacks, files
// that are in twice, rows that are missing; with `read_rows`, values that can't be read. All at one moment. A status other
// than OK is the database's own failure.
absl::Status CheckBooks(duckdb_connection connection, const std::vector<TableLayout>& layouts, bool read_rows,
                        std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_BOOKS_CHECK_H_
