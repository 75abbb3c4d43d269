// Our values as DuckDB's, for bind variables and for rows of small tables.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_BIND_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_BIND_H_

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/value.h"

namespace logquery::duckdb {

// Of the type that engine_types.h names for the value's, a NULL too: a statement is planned again where a value is of another
// type than it was planned for.
// InvalidArgument: text that is not UTF-8, digits that fit no DECIMAL(38), an INTERVAL beyond DuckDB's.
absl::StatusOr<ValueHandle> ToDuckDb(const Value& value);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_BIND_H_
