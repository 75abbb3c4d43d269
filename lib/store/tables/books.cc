// Checks the database's own list of tables for the store's records.
#include "lib/store/tables/books.h"

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"

namespace logquery::store {

absl::StatusOr<bool> HasBooks(duckdb_connection connection, const std::string& name) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows tables,
                            duckdb::Query(connection,
                                          "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND"
                                          " schema_name = 'logquery' AND table_name = $1",
                                          {name}));
  return !tables.empty();
}

absl::StatusOr<bool> HasBookColumn(duckdb_connection connection, const std::string& name, const std::string& column) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows columns,
                            duckdb::Query(connection,
                                          "SELECT 1 FROM duckdb_columns() WHERE database_name = current_database() AND"
                                          " schema_name = 'logquery' AND table_name = $1 AND column_name = $2",
                                          {name, column}));
  return !columns.empty();
}

}  // namespace logquery::store
