// Turns events of collectors' own shapes into rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
#define LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace logquery::store {

// Of an object, valid JSON: a row whose metadata it is and whose message is its text.
std::string RowOfObject(std::string_view object);

// Of an event of Vector's, valid JSON: message, timestamp and what logquery's own rows have at their top stay there, and everything
// else becomes metadata, with `level` of the record `log` beside it. Without a message that is the metadata's text.
std::string RowOfVector(std::string_view event);

// A row of these is at most this many times as long as the text that it is made of: whitespace of one byte becomes an escape
// of six, and the text itself stands beside it.
inline constexpr size_t kMaxRowGrowth = 8;

// Gives a row for each log record of an ExportLogsServiceRequest, valid JSON. Each record's row repeats its resource and scope,
// so that the rows may be far longer than the request: `make_room` gets the most bytes that the next row may take, before the
// row is made. Where `make_room` or `take` returns false, the walk ends.
void RowsOfOtlp(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                absl::FunctionRef<bool(std::string row)> take);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
