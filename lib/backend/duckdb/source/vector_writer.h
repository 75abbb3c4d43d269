// Copies rows of a program's batches into DuckDB's vectors, and checks what the engine relies on: UTF-8, times that exist,
// JSON that is JSON.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_VECTOR_WRITER_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_VECTOR_WRITER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/batch.h"

namespace logquery::duckdb {

// Writes `rows` rows of `from`, beginning with `begin`, to those of `to` from `at` on; its type is LogicalType(from.type(), true).
// Returns about how many bytes they are. Internal: a value that its type does not have; `place` names table and column.
absl::StatusOr<int64_t> WriteRows(const ColumnView& from, int64_t begin, int64_t rows, std::string_view place,
                                  int64_t at, duckdb_vector to);

// Has the rows from `at` on, `times` of them, hold what the row `at` holds. `type` is neither an ARRAY nor a STRUCT.
void RepeatRow(const Type& type, int64_t at, int64_t times, duckdb_vector vector);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_VECTOR_WRITER_H_
