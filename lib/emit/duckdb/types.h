// DuckDB's names for types, and its spelling of names, text and values.
//
//   BOOL BOOLEAN, INT64 BIGINT, FLOAT64 DOUBLE, NUMERIC DECIMAL(38,9), BIGNUMERIC BLOB (the bytes of model/big_numeric.h),
//   STRING VARCHAR, BYTES BLOB, DATE DATE, TIME TIME, DATETIME and TIMESTAMP both TIMESTAMP (of no zone; UTC for
//   TIMESTAMP), INTERVAL INTERVAL, JSON JSON, ARRAY a LIST, STRUCT and record a STRUCT
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_TYPES_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_TYPES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/sql.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// "name": nothing in it ends the quotes.
std::string DuckDbIdentifier(std::string_view name);
// 'text', which has no NUL.
std::string DuckDbQuoted(std::string_view text);
// 'text', as an expression where the text has what no literal can hold. InvalidArgument: not UTF-8.
absl::StatusOr<std::string> DuckDbString(std::string_view value);

// STRUCT("a" BIGINT, "b" VARCHAR[]).
std::string DuckDbType(const Type& type);
// What the fields of a STRUCT are called in DuckDB: their own names, or `_3` for the third where its own is empty or, without
// regard to case, taken by one before it.
std::vector<std::string> DuckDbFieldNames(const std::vector<Field>& fields);
// One of them.
std::string DuckDbFieldName(const Type& type, int index);

// A value as a literal of its DuckDB type, fit to stand as an operand. InvalidArgument: text that is not UTF-8.
absl::StatusOr<std::string> DuckDbLiteral(const Value& value);

// `values`, one for each field of `type`, as a STRUCT. Unimplemented: one without fields.
absl::StatusOr<Sql> DuckDbStruct(const Type& type, const Texts& values);
// The same without a cast, of what a table stores.
absl::StatusOr<Sql> DuckDbStructPack(const Type& type, const Texts& values);
Sql DuckDbArray(const Type& type, const Texts& elements);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_TYPES_H_
