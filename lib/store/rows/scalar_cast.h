// A JSON scalar as a value of a declared type, where it is that value exactly: "200" is 200, 5 is "5", "abc" is no INT64.
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
  std::string_view text;  // of a string what it stands for, else as it is written
};

// The one that the type's kind has in batch.h's table is set.
struct ScalarValue {
  bool boolean = false;
  int64_t integer = 0;  // INT64, DATE, TIME, DATETIME, TIMESTAMP
  double number = 0;
  Int128 decimal;
  std::string_view text;
};

// False: it is no such value. `unit` is that of timestamps which are integers. Text is borrowed from `json` or `arena`.
// For every kind of type but INTERVAL, JSON, ARRAY and STRUCT.
//   STRING     any scalar: numbers keep the digits they were written with
//   INT64      a number without a fraction (200, 200.0, 2e2), or digits as text
//   FLOAT64    a number, integers only when a double holds them exactly; as text too, also nan and infinities
//   BOOL       true and false, as text too
//   NUMERIC …  a number that has no more digits than the type, as text too
//   TIMESTAMP  ISO 8601 text, or an integer in `unit`
//   DATE, TIME, DATETIME   ISO 8601 text
//   BYTES      base64
bool CastScalar(const JsonScalar& json, TypeKind kind, TimestampUnit unit, Arena& arena, ScalarValue* out);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_SCALAR_CAST_H_
