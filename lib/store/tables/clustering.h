// Rows of closed days are written anew by project and time, a stretch of time at a time, and the books of what was.
//
// A stretch is as many rows as a transaction may take: some seconds, a few hundred megabytes.
#ifndef LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_
#define LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/catalog.h"

namespace logquery::store {

// The books' table, where there is none yet: what was written anew, from `begin` on and before `until`.
inline constexpr char kMakeClusterBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.clustered("
    "table_name VARCHAR, begin TIMESTAMP, until TIMESTAMP, row_count BIGINT, clustered_at TIMESTAMP)";

// The beginnings of days before `before` that are worth it, the newest first: with a row group's rows at least, of which
// an eighth or more came after the day was put in order last.
absl::StatusOr<std::vector<absl::Time>> DaysToCluster(duckdb_connection connection, const Table& table,
                                                      absl::Time before);

struct Stretch {
  absl::Time begin;
  absl::Time until;
  int64_t rows = 0;
};
// The day's stretches, of about `rows` rows each. Rows of one time are all in one.
absl::StatusOr<std::vector<Stretch>> CutDay(duckdb_connection connection, const Table& table, absl::Time day,
                                            int64_t rows);

// Within the transaction that `connection` has open: writes the stretch's rows anew, which the books note. How many; 0: the
// books say that it was done, and no row has come since.
absl::StatusOr<int64_t> ClusterStretch(duckdb_connection connection, const Table& table, const Stretch& stretch);

// Of all that was written anew and is not too old.
struct Clustered {
  int64_t rows = 0;
  std::string mark;  // differs whenever any was; empty: none was
};
// Also of a folder that is older than these books.
absl::StatusOr<Clustered> ReadClustered(duckdb_connection connection, const std::string& table);

// Within the transaction that `connection` has open: the books forget of rows older than `before`.
absl::Status ForgetClustered(duckdb_connection connection, const std::string& table, absl::Time before);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_
