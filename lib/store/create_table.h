// Creates small tables with arbitrary columns from values: for the backend contract and the conformance program.
//
//     auto backend = OpenDuckDb({});  // in memory
//     CreateTable(**backend, "t", {{"a", Type::Int64()}}, {{Value::Int64(1)}, {Value::Null(Type::Int64())}});
#ifndef LOGQUERY_LIB_STORE_CREATE_TABLE_H_
#define LOGQUERY_LIB_STORE_CREATE_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/value.h"

namespace logquery::store {

// Stores columns as engine_types.h describes, records as STRUCT; keeps names as given. `backend` must come from
// OpenDuckDb and must not be read-only. Its ReadCatalog() shows the table from now on; an existing table with this name
// is replaced. InvalidArgument: a value that the engine can't represent; two columns with one name.
absl::Status CreateTable(DuckDbBackend& backend, const std::string& name, const Schema& columns,
                         const std::vector<std::vector<Value>>& rows);

// NotFound: there is no such table.
absl::Status DropTable(DuckDbBackend& backend, const std::string& name);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_CREATE_TABLE_H_
