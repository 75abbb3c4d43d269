// Converts JSON scalars to values of declared types, where the conversion is exact: "200" to 200, 5 to "5", but not
// "abc" to INT64.
#ifndef LOGQUERY_LIB_STORE_ROWS_SCALAR_CAST_H_
#define LOGQUERY_LIB_STORE_ROWS_SCALAR_CAST_H_

#include <cstdint>
#include <string_view>

#include "lib/store/rows/arena.h"
#include "logquery/batch.h"
#include "logquery/store/log_store.h"
#include "logquery/type.h"

namespace logquery::store {

struct JsonScalar {
  enum class Kind { kString, kNumber, kBool };
  Kind kind = Kind::kString;
  std::string_view text;  // of a string its unescaped text, otherwise as written
};

// Set according to the type's layout in batch.h.
struct ScalarValue {
  bool boolean = false;
  int64_t integer = 0;  // INT64, DATE, TIME, DATETIME, TIMESTAMP
  double number = 0;
  Int128 decimal;
  std::string_view text;
};

// Returns false if the scalar is not such a value. `unit` applies to timestamps that are numbers. Text is borrowed from `json`
// or `arena`. Supports every type except INTERVAL, JSON, ARRAY and STRUCT.
//   STRING     any scalar: numbers keep their digits as written
//   INT64      a number without a fraction (200, 200.0, 2e2), or digits as text
//   FLOAT64    a number; integers only if a double represents them exactly; also as text, including nan and infinities
//   BOOL       true and false, also as text
//   NUMERIC …  a number with no more digits than the type allows, also as text
//   TIMESTAMP  ISO 8601 text, or a number in `unit`, also as text; parts of a microsecond are dropped
//   DATE, TIME, DATETIME   ISO 8601 text
//   BYTES      base64
bool CastScalar(const JsonScalar& json, TypeKind kind, TimestampUnit unit, Arena& arena, ScalarValue* out);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_SCALAR_CAST_H_
