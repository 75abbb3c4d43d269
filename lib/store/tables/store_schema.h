// The tables of a folder's database against those that the schema declares.
//
// The database keeps books on its own tables, in schema "logquery": `columns` says what each column is, `loads` which
// files are in, `removals` which rows are gone for their age or the disk's size, `learned` which columns rows have brought,
// `clustered` which stretches of time are in the order of projects, `own_logs` what the operator's own logs are declared as.
#ifndef LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_
#define LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Makes what is missing: tables, columns, and for rows that are there already what hot columns hold of them; hot columns
// that are declared no more are dropped. What declared columns hold never changes.
// The same for further fields of built-in logs, whose columns are learned ones.
// FailedPrecondition: a column is declared with another type than the one it has; a field that is learned is declared now; as
// DecideDeclared. `commit` ends the transaction in which all of it happens.
absl::Status EnsureTables(duckdb_connection connection, const FolderSchema& schema,
                          absl::FunctionRef<absl::Status(duckdb::Transaction& transaction)> commit);

// The tables that can be queried, with the hot and the learned columns that are there; without changing anything.
// FailedPrecondition: as above; a declared column is not there yet; no database of logs.
absl::StatusOr<std::vector<Table>> ReadTables(duckdb_connection connection, const std::vector<TableLayout>& layouts);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_STORE_SCHEMA_H_
