// Converts events in collectors' own forms to rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
#define LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace logquery::store {

// Converts an object, which must be valid JSON, to a row: the object is the metadata, and its text the message.
std::string RowOfObject(std::string_view object);

// Converts an event from Vector, which must be valid JSON. Message, timestamp and the top-level columns of logquery's
// rows are kept; everything else becomes metadata, including `level` of the record `log`. If there is no message, the
// metadata's text is used.
std::string RowOfVector(std::string_view event);

// Converts an event of a Cloudflare worker, which is a row, or an entry of Cloudflare's Logpush: the entry becomes the
// metadata, its text the message, and the time of the dataset (EdgeStartTimestamp, Datetime, …) the timestamp. It must
// be valid JSON.
std::string RowOfCloudflare(std::string_view event);

// The maximum ratio of a row's length to that of its source: a whitespace byte becomes an escape of six bytes, in
// addition to the text itself.
inline constexpr size_t kMaxRowGrowth = 8;

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_EVENT_SHAPES_H_
