// GoogleSQL's types in DuckDB: which type stands for which, as SQL text and as the C API's objects.
//
//   BOOL BOOLEAN, INT64 BIGINT, FLOAT64 DOUBLE, NUMERIC DECIMAL(38,9), BIGNUMERIC DECIMAL(38,18), STRING VARCHAR, BYTES
//   BLOB, DATE DATE, TIME TIME, DATETIME and TIMESTAMP both TIMESTAMP (of no zone; UTC for TIMESTAMP), INTERVAL INTERVAL,
//   JSON JSON, ARRAY a LIST, STRUCT and record a STRUCT
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/type.h"

namespace logquery::duckdb {

// What values and tables of ours have; a result's BIGNUMERIC may have any scale. DuckDB's decimals end at 38 digits: half
// of them before the point serves sums, half of them after it serves quotients.
inline constexpr int kBigNumericScale = 18;

// "name", quoted for DuckDB.
std::string QuoteName(std::string_view name);

// 'text', quoted for DuckDB.
std::string QuoteText(std::string_view text);

// The names that the fields of a STRUCT have in DuckDB: their own, or `_3` for the third field where its own is empty or
// taken by one before it, without regard to case.
std::vector<std::string> StorageFieldNames(const std::vector<Field>& fields);

// "STRUCT("a" BIGINT, "b" VARCHAR[])".
std::string SqlType(const Type& type);

// The type as an object of the API; JSON is VARCHAR.
TypeHandle LogicalType(const Type& type);

// Internal, saying what was expected and what is there, when vectors of `actual` do not lie as batches of `type` must.
// `place` names the column.
absl::Status CheckLayout(const Type& type, duckdb_logical_type actual, std::string_view place);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_
