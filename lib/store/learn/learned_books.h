// The database's own record of its learned columns and their fields.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/learn/learned_change.h"

namespace logquery::store {

// Creates the tables if they do not exist. `standing` is 'taught' by rows of the project, 'declared' by a schema file, or
// 'superseded' by another column; a column without any is older than this record, and every project's. `token` is the id of
// the token that sent the rows which taught it; empty or NULL: rows of a file, or a record from before it was kept.
inline constexpr char kMakeLearnedBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.learned("
    "table_name VARCHAR, column_name VARCHAR, path VARCHAR, type VARCHAR, presence BOOLEAN);"
    "CREATE TABLE IF NOT EXISTS logquery.learned_by("
    "table_name VARCHAR, column_name VARCHAR, standing VARCHAR, project VARCHAR);"
    "ALTER TABLE logquery.learned_by ADD COLUMN IF NOT EXISTS token VARCHAR";

// Returns the learned columns by table; empty for an old folder that has not been written to since. DataLoss: the tables'
// content is invalid.
absl::StatusOr<base::StringMap<LearnedTable>> ReadLearned(duckdb_connection connection);

// Changes the table's columns and the record, in `connection`'s open transaction. `learned` is what was before.
absl::Status ApplyLearned(duckdb_connection connection, const std::string& table, const LearnedTable& learned,
                          const LearnedChange& change);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_
