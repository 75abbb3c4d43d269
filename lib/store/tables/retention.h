// Deletes rows according to a table's rule (disk_retention.h), and records the deletions.
#ifndef LOGQUERY_LIB_STORE_TABLES_RETENTION_H_
#define LOGQUERY_LIB_STORE_TABLES_RETENTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Returns the times of the deletion steps, the last of which is `before`: one per day with rows, so that no transaction
// deletes more than one day's rows.
absl::StatusOr<std::vector<absl::Time>> StepsBefore(duckdb_connection connection, const Table& table,
                                                    absl::Time before);

// Returns the start of the newest whole days that fit into `max_bytes`, based on the current size of the table's rows
// on disk; nullopt: all days fit. The newest day is always kept.
absl::StatusOr<std::optional<absl::Time>> CutToFit(duckdb_connection connection, const Table& table, int64_t max_bytes);

// Deletes rows older than `before` and records that, in `connection`'s open transaction. Returns the number of rows.
absl::StatusOr<int64_t> RemoveBefore(duckdb_connection connection, const Table& table, absl::Time before,
                                     std::string_view reason);

// Totals of all rows ever deleted from the table.
struct Removed {
  int64_t rows = 0;
  std::optional<absl::Time> before;
};
// Also works for folders without these records.
absl::StatusOr<Removed> ReadRemoved(duckdb_connection connection, const std::string& table);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_RETENTION_H_
