// Converts values to DuckDB's, for bind variables and for rows of small tables.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_BIND_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_BIND_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/prepared_query.h"
#include "logquery/value.h"

namespace logquery::duckdb {

// The result has the type that engine_types.h names for the value's type, also for NULL: DuckDB plans a statement again
// if a binding's type differs from the one it was planned for. InvalidArgument: text that is not UTF-8, digits that do
// not fit DECIMAL(38), an INTERVAL that exceeds DuckDB's range.
absl::StatusOr<ValueHandle> ToDuckDb(const Value& value);

// Binds one value for each variable of the statement, which was prepared from a text of `query`. InvalidArgument, with the
// parameter's name: as ToDuckDb. Internal: the numbers of variables, slots and values differ.
absl::Status BindAll(duckdb_prepared_statement statement, const PreparedQuery& query, const Bindings& bindings);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_BIND_H_
