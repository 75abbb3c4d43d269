// Questions with small answers to a database, and transactions.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_SMALL_QUERY_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_SMALL_QUERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/handles.h"

namespace logquery::duckdb {

using TextRows = std::vector<std::vector<std::string>>;

// The rows of one statement, values as text, NULL as an empty one; `$1` is the first of `texts`. A statement that
// changes rows gives one row with their number.
absl::StatusOr<TextRows> Query(duckdb_connection connection, const std::string& sql,
                               const std::vector<std::string>& texts = {});

// A number of such a row. Internal: it is none.
absl::StatusOr<int64_t> NumberIn(const std::string& text);

// The TIMESTAMP as SQL: in microseconds, which is all that the engine keeps of it.
std::string TimeSql(absl::Time time);

// A transaction that is rolled back unless it is committed.
class Transaction {
 public:
  static absl::StatusOr<Transaction> Begin(duckdb_connection connection);
  Transaction(Transaction&& other) noexcept : connection_(other.connection_) { other.connection_ = nullptr; }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  absl::Status Commit();

 private:
  explicit Transaction(duckdb_connection connection) : connection_(connection) {}
  duckdb_connection connection_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_SMALL_QUERY_H_
