// Computes statistics of a folder's tables.
#ifndef LOGQUERY_LIB_STORE_TABLES_TABLE_STATS_H_
#define LOGQUERY_LIB_STORE_TABLES_TABLE_STATS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/catalog.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::store {

// Returns one entry for each of `tables`, in their order and from one snapshot.
absl::StatusOr<std::vector<TableStats>> ReadTableStats(duckdb_connection connection, const std::vector<Table>& tables);

// Returns the expression for the bytes of the table's blocks in the data file.
std::string DiskBytesSql(const std::string& table);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_TABLE_STATS_H_
