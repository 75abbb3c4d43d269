// DuckDB's type names, and how it writes identifiers, text and values.
//
//   BOOL BOOLEAN, INT64 BIGINT, FLOAT64 DOUBLE, NUMERIC DECIMAL(38,9), BIGNUMERIC BLOB (the bytes of model/big_numeric.h),
//   STRING VARCHAR, BYTES BLOB, DATE DATE, TIME TIME, DATETIME and TIMESTAMP both TIMESTAMP (of no zone; UTC for
//   TIMESTAMP), INTERVAL INTERVAL, JSON JSON, ARRAY a LIST, STRUCT and record a STRUCT
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_TYPES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_TYPES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/sql.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// Returns "name", quoted and escaped.
std::string DuckDbIdentifier(std::string_view name);
// Returns 'text'; the text must have no NUL.
std::string DuckDbQuoted(std::string_view text);
// Returns 'text', or an expression if a literal can't contain the text. InvalidArgument: not UTF-8.
absl::StatusOr<std::string> DuckDbString(std::string_view value);

// STRUCT("a" BIGINT, "b" VARCHAR[]).
std::string DuckDbType(const Type& type);
// Returns the names of a STRUCT's fields in DuckDB: their own names, or for example `_3` for the third if its name is
// empty or equals an earlier one (case-insensitively).
std::vector<std::string> DuckDbFieldNames(const std::vector<Field>& fields);
// Returns one of these names.
std::string DuckDbFieldName(const Type& type, int index);

// Returns a value as a literal of its DuckDB type that can be used as an operand. InvalidArgument: text that is not
// UTF-8.
absl::StatusOr<std::string> DuckDbLiteral(const Value& value);

// Returns `values`, one for each field of `type`, as a STRUCT. Unimplemented: the type has no fields.
absl::StatusOr<Sql> DuckDbStruct(const Type& type, const Texts& values);
// The same without a cast, for values that a table stores.
absl::StatusOr<Sql> DuckDbStructPack(const Type& type, const Texts& values);
Sql DuckDbArray(const Type& type, const Texts& elements);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_TYPES_H_
