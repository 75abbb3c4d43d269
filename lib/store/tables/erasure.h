// Removes a project's rows from a table for erasure.h (public), and keeps the books of it.
#ifndef LOGQUERY_LIB_STORE_TABLES_ERASURE_H_
#define LOGQUERY_LIB_STORE_TABLES_ERASURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Returns the number of the project's rows in the table; 0 if its rows do not say whose they are.
absl::StatusOr<int64_t> CountProject(duckdb_connection connection, const Table& table, const std::string& project);

// Removes the project's rows within the open transaction of `connection`. The books record the removal, but not whose
// rows they were. Returns the number of rows.
absl::StatusOr<int64_t> RemoveProject(duckdb_connection connection, const Table& table, const std::string& project);

// A load with rejected rows that the folder keeps.
struct RejectingLoad {
  std::string table;
  std::string name;  // RejectedRows::name()
};
absl::StatusOr<std::vector<RejectingLoad>> ReadRejectingLoads(duckdb_connection connection);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_ERASURE_H_
