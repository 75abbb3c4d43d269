// Copies rows of a program's batches into DuckDB's vectors, and validates what the engine relies on: UTF-8, times in
// range, valid JSON.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_VECTOR_WRITER_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_VECTOR_WRITER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/batch.h"

namespace logquery::duckdb {

// For whom rows are written.
enum class WrittenFor {
  kQuery,  // the type of the vector is LogicalType(type, true)
  kFile,  // the same, but with VARCHAR for BIGNUMERIC and INTERVAL, which become text; invalid JSON becomes a JSON string
};

// Copies `rows` rows of `from`, starting at `begin`, to `to`, starting at `at`. Returns their approximate size in bytes.
// Internal: a value is invalid for its type; `place` names table and column.
absl::StatusOr<int64_t> WriteRows(const ColumnView& from, int64_t begin, int64_t rows, std::string_view place,
                                  int64_t at, duckdb_vector to, WrittenFor purpose = WrittenFor::kQuery);

// Copies row `at` into the `times` rows that start there. `type` must be neither an ARRAY nor a STRUCT.
void RepeatRow(const Type& type, int64_t at, int64_t times, duckdb_vector vector);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_VECTOR_WRITER_H_
