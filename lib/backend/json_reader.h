// Converts JSON text in a server's rows to values of declared types. Conditions on JSON fields in a server follow the
// same rules (lib/engines/postgres/dialect/json_paths.h), so that they agree with the values read here.
#ifndef LOGQUERY_LIB_BACKEND_JSON_READER_H_
#define LOGQUERY_LIB_BACKEND_JSON_READER_H_

#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "logquery/type.h"

namespace logquery::backend {

// Returns whether fields of this type, and all types nested in it, can be read.
bool ReadsFromJson(const Type& type);

// Adds one row to `column`. A value of another type counts as NULL; so do such fields and elements.
//   STRING     any scalar: numbers as they are written
//   INT64      a whole number, also 1.0 and 1e3, or up to 19 digits as text
//   BOOL       true and false, also as text
//   FLOAT64    a number; integers only if a double represents them exactly; also as text, including nan and infinities
//   TIMESTAMP  ISO 8601 text, or an integer of microseconds
//   JSON       anything except null
//   a record   an object, or an array of one object; STRUCT: an object; ARRAY: an array
// Internal: the text is not JSON, or is nested more than 1,000 levels deep.
absl::Status AppendJson(std::string_view json, ColumnBuilder& column, TextBlocks& texts);

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_JSON_READER_H_
