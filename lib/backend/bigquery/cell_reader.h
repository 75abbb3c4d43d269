// One cell of an answer, {"v": "5"}, as a value of a column.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_CELL_READER_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_CELL_READER_H_

#include "absl/status/status.h"
#include "lib/backend/bigquery/wire_schema.h"
#include "lib/backend/column_builder.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::bigquery {

// Adds the cell as a row of `column`; WhyNotRead has said that its type is read from the field. Timestamps are microseconds
// (useInt64Timestamp). Internal: it is not of the form, or of another type; what its text is, is not in the message.
absl::Status AppendCell(const WireField& field, const nlohmann::ordered_json& cell, backend::ColumnBuilder& column,
                        backend::TextBlocks& texts);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_CELL_READER_H_
