// Converts one cell of a response, {"v": "5"}, to a value of a column.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_CELL_READER_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_CELL_READER_H_

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "lib/base/json/value.h"
#include "lib/engines/bigquery/backend/wire_schema.h"

namespace logquery::bigquery {

// Adds the cell as a row of `column`; the caller has checked with WhyNotRead that the field has the column's type.
// Timestamps are microseconds (useInt64Timestamp). Internal: the cell is malformed or has another type; the message
// does not contain its text.
absl::Status AppendCell(const WireField& field, const base::Json& cell, backend::ColumnBuilder& column,
                        backend::TextBlocks& texts);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_CELL_READER_H_
