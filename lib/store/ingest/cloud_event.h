// Converts CloudEvents 1.0 to rows: the members of an event's data are the row's, as Logflare stores them, or its metadata's, and
// its attributes are the record cloud_event beside them.
//
//     {"specversion":"1.0","id":"7","source":"/shop","type":"order.paid","time":"2026-01-15T08:00:00Z","data":{"total":5}}
//     {"timestamp":"2026-01-15T08:00:00Z","total":5,"id":"7","event_message":"{\"total\":5}","cloud_event":{"specversion":…}}
#ifndef LOGQUERY_LIB_STORE_INGEST_CLOUD_EVENT_H_
#define LOGQUERY_LIB_STORE_INGEST_CLOUD_EVENT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/store/split_events.h"

namespace logquery::store {

// Converts an event in JSON, which must be valid JSON. InvalidArgument: it lacks an attribute that each event has, or is of another
// version, or its data is not what datacontenttype says.
absl::StatusOr<std::string> RowOfCloudEvent(std::string_view event, const CloudEventLog& log);

// An event in JSON, made of its attributes, which are a JSON object, and of the bytes of its data.
struct JoinedCloudEvent {
  std::string json;
  std::string problem;  // why the data is not what its type says; it is in `json` as text then. Empty: it is
};
JoinedCloudEvent JoinCloudEvent(std::string_view attributes, std::string_view data);

// The maximum ratio of the lengths of a joined event and of its data: a control character becomes an escape of six bytes.
// Attributes come in addition.
inline constexpr size_t kMaxJoinedGrowth = 6;
// The maximum ratio of the bytes that RowOfCloudEvent uses to the length of an event with data_base64: its bytes, these as text,
// and the row.
inline constexpr size_t kMaxDecodedGrowth = 16;

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_CLOUD_EVENT_H_
