// JSONB text as values of declared types, by the rules that lib/emit/postgres/json_paths.h spells in the server's own language: a
// condition there and a value here never differ.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_JSONB_READER_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_JSONB_READER_H_

#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/postgres/column_builder.h"
#include "logquery/type.h"

namespace logquery::postgres {

// Whether fields of that type, and of all types below it, can be read.
bool ReadsFromJsonb(const Type& type);

// Adds one row to `column`. A value of another type is NULL, and so is each such field and element.
//   STRING     any scalar: numbers with the digits that the server has kept
//   INT64      a number without a fraction, or up to 19 digits as text
//   BOOL       true and false, as text too
//   FLOAT64    a number, integers only when a double holds them exactly; as text too, also nan and infinities
//   TIMESTAMP  ISO 8601 text, or an integer of microseconds
//   JSON       anything but null
//   a record   an object, or an array of one object; STRUCT an object; ARRAY an array
// Internal: it is no JSON, or nested more than 1,000 deep.
absl::Status AppendJsonb(std::string_view json, ColumnBuilder& column, TextBlocks& texts);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_JSONB_READER_H_
