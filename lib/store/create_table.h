// Small tables of any columns, made from values: for the backend contract and the conformance program.
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

// Columns are stored as engine_types.h says, records as STRUCT; names as they are given. `backend` is one that OpenDuckDb
// made, not read-only; its ReadCatalog() shows the table from here on, and a table of that name is replaced.
// InvalidArgument: a value that the engine can't hold; two columns of one name.
absl::Status CreateTable(DuckDbBackend& backend, const std::string& name, const Schema& columns,
                         const std::vector<std::vector<Value>>& rows);

// NotFound: it is not there.
absl::Status DropTable(DuckDbBackend& backend, const std::string& name);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_CREATE_TABLE_H_
