// The database's own record of its learned columns and their fields.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/base/strings.h"
#include "lib/store/learn/learned_change.h"

namespace logquery::store {

// Creates the table if it does not exist.
inline constexpr char kMakeLearnedBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.learned("
    "table_name VARCHAR, column_name VARCHAR, path VARCHAR, type VARCHAR, presence BOOLEAN)";

// Returns the columns by table, in the order in which they were learned; empty for an old folder that has not been
// written to since. DataLoss: the table's content is invalid.
absl::StatusOr<base::StringMap<std::vector<LearnedColumn>>> ReadLearned(duckdb_connection connection);

// Changes the table's columns and the record, in `connection`'s open transaction.
absl::Status ApplyLearned(duckdb_connection connection, const std::string& table,
                          const std::vector<LearnedColumn>& learned, const LearnedChange& change);

// For DecideLearned.
absl::StatusOr<bool> HasWideIntegers(duckdb_connection connection, const std::string& table,
                                     const LearnedColumn& column);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_
