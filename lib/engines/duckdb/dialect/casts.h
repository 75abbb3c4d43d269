// GoogleSQL's casts in DuckDB, whose own casts differ in the texts they accept, in rounding and in output.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CASTS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CASTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {

// Writes CAST, SAFE_CAST and coercions. Unimplemented: a FORMAT; a pair of types that DuckDB can't convert with
// GoogleSQL's meaning.
absl::StatusOr<Sql> DuckDbCast(const CastTexts& texts);

// The time zone of casts between timestamps and civil times: the first argument of a call, or none for UTC.
struct CastZone {
  const rewrite::FunctionCall* call = nullptr;
  std::vector<Sql> args;

  Sql ToLocal(const Sql& timestamp) const;  // not checked for the years 0001 to 9999
  Sql ToLocalInRange(const Sql& timestamp) const;
  Sql FromLocal(const Sql& datetime) const;
};

// Converts `value` from type `from` to type `to`. A value that can't be converted raises an error at run time.
absl::StatusOr<Sql> DuckDbConvert(const Type& from, const Type& to, const Sql& value, const CastZone& zone = {});

// Converts between STRING and the time types. May use `x` more than once.
Sql DuckDbTextToTime(TypeKind to, const Sql& x, const CastZone& zone);
Sql DuckDbTimeToText(TypeKind from, const Sql& x, const CastZone& zone);
// "1-2 3 4:5:6.789": months, days and time, each with its own sign.
Sql DuckDbIntervalToText(const Sql& x);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_CASTS_H_
