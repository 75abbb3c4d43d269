// Splits the body of an ingest request into the rows that Ingest accepts.
//
//     absl::StatusOr<EventTexts> events = SplitEvents(body, {.shape = EventShape::kVector});
//     ingest->Append({.table = "edge_logs", .part = {.rows = events->rows}});
//
// A body is a JSON array of events, an object whose `batch` is such an array, a single event, or one event per line.
// docs/ingest.md describes the forms of events.
#ifndef LOGQUERY_STORE_SPLIT_EVENTS_H_
#define LOGQUERY_STORE_SPLIT_EVENTS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery {

// How the events of a body are converted to rows.
enum class EventShape {
  kRow,           // events are rows
  kObject,        // any object: it becomes the row's metadata, and its text the message
  kVector,        // message and timestamp are kept; everything else becomes metadata
  kOtlp,          // the body is an OpenTelemetry ExportLogsServiceRequest in JSON
  kOtlpProtobuf,  // the same in protobuf
};

struct SplitOptions {
  EventShape shape = EventShape::kRow;
  bool by_lines = false;  // one event per line; a line that is not JSON does not affect the others
  size_t max_events = 200'000;
  // Limits the size of converted rows (all but kRow). They may be larger than the body: each OTLP record
  // gets its resource and scope.
  size_t max_made_bytes = 128 << 20;
  // Called before the rows take this much more memory beyond the body; false rejects the body. Empty: no limit.
  std::function<bool(size_t bytes)> grow = nullptr;
};

struct EventTexts {
  EventTexts() = default;
  EventTexts(EventTexts&&) = default;
  EventTexts& operator=(EventTexts&&) = default;

  std::vector<std::string_view> rows;  // views of the body or of `made`
  std::deque<std::string> made;
};

// Returns the rows, which borrow from `body`. InvalidArgument: the body is not of that form (the message says
// where), or has too many events. OutOfRange: the rows exceed `max_made_bytes`. ResourceExhausted, with a time to
// retry: `grow` returned false. Errors in single events are found later, when they are stored.
absl::StatusOr<EventTexts> SplitEvents(std::string_view body, const SplitOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_SPLIT_EVENTS_H_
