// GoogleSQL's casts in DuckDB, whose own differ in what text they take, how they round and what they print.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_CASTS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_CASTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/emit/duckdb/function_texts.h"

namespace logquery::emit {

// CAST, SAFE_CAST, and coercions. Unimplemented: with FORMAT; a pair of types that DuckDB can't convert with GoogleSQL's
// meaning.
absl::StatusOr<Sql> DuckDbCast(const CastTexts& texts);

// What casts between moments and calendars go by: the zone as the first argument of a call, or none for UTC.
struct CastZone {
  const rewrite::FunctionCall* call = nullptr;
  std::vector<Sql> args;

  Sql ToLocal(const Sql& timestamp) const;
  Sql FromLocal(const Sql& datetime) const;
};

// `value` of type `from` as `to`; what is no value of `to` is an error when it runs.
absl::StatusOr<Sql> DuckDbConvert(const Type& from, const Type& to, const Sql& value, const CastZone& zone = {});

// Between STRING and the types of time. `x` may be used more than once.
Sql DuckDbTextToTime(TypeKind to, const Sql& x, const CastZone& zone);
Sql DuckDbTimeToText(TypeKind from, const Sql& x, const CastZone& zone);
// "1-2 3 4:5:6.789": months, days and time, each with a sign of its own.
Sql DuckDbIntervalToText(const Sql& x);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_CASTS_H_
