// What the database itself knows of its learned columns: which field each of them is.
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

// The books' table, where there is none yet.
inline constexpr char kMakeLearnedBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.learned("
    "table_name VARCHAR, column_name VARCHAR, path VARCHAR, type VARCHAR, presence BOOLEAN)";

// By table, in the order in which they were learned. A folder of before that nobody has written to since has none.
// DataLoss: the books are not what is written there.
absl::StatusOr<base::StringMap<std::vector<LearnedColumn>>> ReadLearned(duckdb_connection connection);

// Within the transaction that `connection` has open: changes the table's columns, and the books.
absl::Status ApplyLearned(duckdb_connection connection, const std::string& table,
                          const std::vector<LearnedColumn>& learned, const LearnedChange& change);

// What DecideLearned asks.
absl::StatusOr<bool> HasWideIntegers(duckdb_connection connection, const std::string& table,
                                     const LearnedColumn& column);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_BOOKS_H_
