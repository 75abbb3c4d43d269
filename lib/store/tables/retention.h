// What goes out of a table so that it keeps to its rule (disk_retention.h), and the books of what went.
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

// The times that older rows go at, the last of which is `before`: one for each day that has some, so that no transaction
// is longer than a day's rows.
absl::StatusOr<std::vector<absl::Time>> StepsBefore(duckdb_connection connection, const Table& table,
                                                    absl::Time before);

// Where the newest whole days begin that fit into `max_bytes` by what the table's rows take on disk now; nullopt: all fit.
// The newest day is always kept.
absl::StatusOr<std::optional<absl::Time>> CutToFit(duckdb_connection connection, const Table& table, int64_t max_bytes);

// Within the transaction that `connection` has open: rows older than `before` go, which the books note. How many they are.
absl::StatusOr<int64_t> RemoveBefore(duckdb_connection connection, const Table& table, absl::Time before,
                                     std::string_view reason);

// Of all that ever went from the table.
struct Removed {
  int64_t rows = 0;
  std::optional<absl::Time> before;
};
// Also of a folder that is older than these books.
absl::StatusOr<Removed> ReadRemoved(duckdb_connection connection, const std::string& table);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_RETENTION_H_
