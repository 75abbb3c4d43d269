// Rewrites the rows of closed days ordered by project and time, one time range ("stretch") after the other, and records
// the rewritten ranges.
//
// A stretch has as many rows as one transaction can handle: some seconds, a few hundred megabytes.
#ifndef LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_
#define LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/catalog.h"
#include "logquery/packed_records.h"

namespace logquery::store {

// Creates the table if it does not exist. Each row is a rewritten range from `begin` to before `until`.
inline constexpr char kMakeClusterBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.clustered("
    "table_name VARCHAR, begin TIMESTAMP, until TIMESTAMP, row_count BIGINT, clustered_at TIMESTAMP)";

// Returns the start of the first day that is not closed: yesterday still gets rows that come late.
absl::Time FirstOpenDay(absl::Time now);

// Returns the starts of the days before `before` that should be rewritten, the newest first: those with at least a row
// group's rows of which an eighth or more arrived after the last rewrite.
absl::StatusOr<std::vector<absl::Time>> DaysToCluster(duckdb_connection connection, const Table& table,
                                                      absl::Time before);

struct Stretch {
  absl::Time begin;
  absl::Time until;
  int64_t rows = 0;
};
// Splits the day into stretches of about `rows` rows each. Rows with equal times are in one stretch.
absl::StatusOr<std::vector<Stretch>> CutDay(duckdb_connection connection, const Table& table, absl::Time day,
                                            int64_t rows);

// Rewrites the stretch's rows, and records that, in `connection`'s open transaction. All rows keep the packed records that they
// have, or those of rare projects alone. Returns the number of rows; 0: it was rewritten before, and no row has arrived since.
absl::StatusOr<int64_t> ClusterStretch(duckdb_connection connection, const Table& table, const Stretch& stretch,
                                       PackedRecords kept);

// Totals of the rewritten rows that have not been deleted since.
struct Clustered {
  int64_t rows = 0;
};
// Also works for folders without these records.
absl::StatusOr<Clustered> ReadClustered(duckdb_connection connection, const std::string& table);

// Removes records of rows older than `before`, in `connection`'s open transaction.
absl::Status ForgetClustered(duckdb_connection connection, const std::string& table, absl::Time before);

// Takes the rows for which `condition` holds, which are about to be deleted, out of the records, in `connection`'s open
// transaction: otherwise a day would look as if none had come since its rewriting.
absl::Status ForgetClusteredRows(duckdb_connection connection, const Table& table, const std::string& condition);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_CLUSTERING_H_
