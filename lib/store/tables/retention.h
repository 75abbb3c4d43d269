// Deletes rows according to a table's rule (disk_retention.h), and records the deletions.
#ifndef LOGQUERY_LIB_STORE_TABLES_RETENTION_H_
#define LOGQUERY_LIB_STORE_TABLES_RETENTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Returns the times of the deletion steps, the last of which is `before`: one per day with rows, so that no transaction
// deletes more than one day's rows.
absl::StatusOr<std::vector<absl::Time>> StepsBefore(duckdb_connection connection, const Table& table,
                                                    absl::Time before);

// Deletes rows older than `before` because of their age and records that, in `connection`'s open transaction. Returns
// the number of rows.
absl::StatusOr<int64_t> RemoveBefore(duckdb_connection connection, const Table& table, absl::Time before);

// Returns how much each may have so that all together have at most `budget`: those that have less keep all that they
// have. Infinity: they have no more than that already.
double FairShare(std::vector<double> sizes, double budget);

// The days of one project that go so that a table fits into its size.
struct ProjectCut {
  std::optional<std::string> project;  // nullopt: rows that no project owns
  std::vector<absl::Time> days;        // their starts, in the order in which they go
};
// Returns what goes so that the table's rows fit into `max_bytes`: only days of projects that have more than their fair
// share, down to that share; the oldest first, but days later than tomorrow before all others; never a project's newest
// day. So what one project writes, and which times it gives its rows, deletes no row of a project within its share.
// Sizes are those of the rows' values, in proportion to what the table takes on the disk, but never more than the values
// themselves. `layout` has all stored columns. Reads all rows if the table is too large.
absl::StatusOr<std::vector<ProjectCut>> CutToFit(duckdb_connection connection, const TableLayout& layout,
                                                 int64_t max_bytes, absl::Time now);

// Deletes the project's rows of this day because of the table's size, and records that, in `connection`'s open
// transaction. Returns the number of rows.
absl::StatusOr<int64_t> RemoveDay(duckdb_connection connection, const Table& table,
                                  const std::optional<std::string>& project, absl::Time day, absl::Time now);

// Totals of all rows ever deleted from the table.
struct Removed {
  int64_t rows = 0;
  std::optional<absl::Time> before;
};
// Also works for folders without these records.
absl::StatusOr<Removed> ReadRemoved(duckdb_connection connection, const std::string& table);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_RETENTION_H_
