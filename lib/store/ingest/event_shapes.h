// Converts events in collectors' own forms to rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
#define LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace logquery::store {

// Converts an object, which must be valid JSON, to a row: the object is the metadata, and its text the message.
std::string RowOfObject(std::string_view object);

// Converts an event from Vector, which must be valid JSON. Message, timestamp and the top-level columns of logquery's
// rows are kept; everything else becomes metadata, including `level` of the record `log`. If there is no message, the
// metadata's text is used.
std::string RowOfVector(std::string_view event);

// The maximum ratio of a row's length to that of its source: a whitespace byte becomes an escape of six bytes, in
// addition to the text itself.
inline constexpr size_t kMaxRowGrowth = 8;

// Produces a row for each log record of an ExportLogsServiceRequest, which must be valid JSON. Each row repeats its
// resource and scope, so the rows may be much longer than the request. `make_room` receives an upper bound on the next
// row's size before the row is built. The walk ends when `make_room` or `take` returns false.
void RowsOfOtlp(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                absl::FunctionRef<bool(std::string row)> take);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
