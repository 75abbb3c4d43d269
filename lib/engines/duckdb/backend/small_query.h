// Runs queries with small results, and transactions.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SMALL_QUERY_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SMALL_QUERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::duckdb {

using TextRows = std::vector<std::vector<std::string>>;

// Returns the rows of one statement with values as text, and NULL as empty text. `$1` is the first of `texts`. A
// statement that changes rows returns one row with their number.
absl::StatusOr<TextRows> Query(duckdb_connection connection, const std::string& sql,
                               const std::vector<std::string>& texts = {});

// Parses a number from such a row. Internal: it is not a number.
absl::StatusOr<int64_t> NumberIn(const std::string& text);

// Returns the TIMESTAMP as SQL, in microseconds, which is the engine's resolution.
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

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SMALL_QUERY_H_
