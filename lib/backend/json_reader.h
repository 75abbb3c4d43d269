// JSON text of a server's row as values of declared types. Where a server is asked for a field of JSON, it is asked by the same
// rules (lib/emit/postgres/json_paths.h), so a condition there and a value here never differ.
#ifndef LOGQUERY_LIB_BACKEND_JSON_READER_H_
#define LOGQUERY_LIB_BACKEND_JSON_READER_H_

#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "logquery/type.h"

namespace logquery::backend {

// Whether fields of that type, and of all types below it, can be read.
bool ReadsFromJson(const Type& type);

// Adds one row to `column`. A value of another type is NULL, and so is each such field and element.
//   STRING     any scalar: numbers as they are written
//   INT64      a number that is whole, also 1.0 and 1e3, or up to 19 digits as text
//   BOOL       true and false, as text too
//   FLOAT64    a number, integers only when a double holds them exactly; as text too, also nan and infinities
//   TIMESTAMP  ISO 8601 text, or an integer of microseconds
//   JSON       anything but null
//   a record   an object, or an array of one object; STRUCT an object; ARRAY an array
// Internal: it is no JSON, or nested more than 1,000 deep.
absl::Status AppendJson(std::string_view json, ColumnBuilder& column, TextBlocks& texts);

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_JSON_READER_H_
