// Creates and verifies the tables of a folder's database according to the schema.
//
// The database has records on its own tables in the schema "logquery": `columns` describes each column, `loads` the
// loaded files, `removals` the rows deleted because of age or disk size, `learned` the columns added by loads and
// `learned_by` for which projects, `clustered` the rewritten time ranges, `own_logs` the declarations of the operator's own
// logs, `sources` those of them that sources made, `changes` the last change of each project's rows, `dictionaries` what packed
// records are compressed with and `dictionary_projects` whose rows these were trained on, `keys` the folder's secret for receipts,
// and `clock` the last time of the machine's clock.
#ifndef LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_
#define LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/live_tables.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Creates missing tables and columns, and fills new hot columns for existing rows; drops hot columns that are no longer
// declared. Never changes the values of declared columns. Further fields of built-in logs become learned columns. `commit` ends the
// transaction that contains all changes. FailedPrecondition: a column is declared with another type than it has; a learned field is
// declared now; or as DecideDeclared.
absl::Status EnsureTables(duckdb_connection connection, const FolderSchema& schema,
                          absl::FunctionRef<absl::Status(duckdb::Transaction& transaction)> commit);

// Returns the queryable tables with their existing hot and learned columns, without changing anything.
// FailedPrecondition: as above; a declared column does not exist yet; this is not a database of logs.
absl::StatusOr<std::vector<LiveTable>> ReadTables(duckdb_connection connection,
                                                  const std::vector<TableLayout>& layouts);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_
