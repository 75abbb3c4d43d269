// Splits the body of an ingest request into the rows that Ingest accepts.
//
//     absl::StatusOr<EventTexts> events = SplitEvents(body, {.shape = EventShape::kVector});
//     ingest->Append({.table = "edge_logs", .part = {.rows = events->rows}});
//
// A body is a JSON array of events, an object whose `batch` is such an array, a single event, or one event per line.
// docs/ingest.md describes the forms of events. An event that is not valid JSON does not affect the others: where events
// begin and end is found by their quotes and brackets alone.
#ifndef LOGQUERY_STORE_SPLIT_EVENTS_H_
#define LOGQUERY_STORE_SPLIT_EVENTS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/store/events.h"

namespace logquery {

// The ways in which the events of a body are converted to rows.
enum class EventShape {
  kRow,         // events are rows
  kObject,      // any object: it becomes the row's metadata, and its text the message
  kVector,      // message and timestamp are kept; everything else becomes metadata
  kCloudflare,  // events are rows, or entries of Cloudflare's Logpush: these become metadata, with their time and text
  kOtlp,        // the body is an OpenTelemetry ExportLogsServiceRequest in JSON
  kOtlpProtobuf,    // the same in protobuf
  kCloudEvent,      // events are CloudEvents 1.0 in JSON: the members of their data become the row's
  kCloudEventData,  // the body is the data of one CloudEvent
};

// The log that CloudEvents are for.
struct CloudEventLog {
  std::string time_field = "timestamp";  // gets the event's time
  bool has_message = true;   // there is a column event_message, for the data's text if the data has no message
  bool in_metadata = false;  // all but id, time, message and project go into the record metadata
};

struct SplitOptions {
  EventShape shape = EventShape::kRow;
  bool by_lines = false;  // one event, array or batch per line
  CloudEventLog log = {};
  // kCloudEventData: the event's attributes as a JSON object; its member datacontenttype says what the body is.
  std::string_view attributes = "{}";
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
  // For EventPart::refused: rows that could not be converted. Their text is the event as it came; for kOtlp a request
  // with this record alone; for kOtlpProtobuf {"otlp_protobuf":"…"}, such a request in base64.
  std::vector<RejectedEvent> refused;
  // Why the whole body can't be split, with the place. `rows` then has one element, the refused body.
  std::string broken;
  // A warning for the sender, whose events are accepted nevertheless.
  std::string warning;
};

// Returns the rows, which borrow from `body`. InvalidArgument: the body is empty, or has too many events. OutOfRange:
// the rows exceed `max_made_bytes`. ResourceExhausted, with a time to retry: `grow` returned false. Errors in single
// rows are found later, when they are stored.
absl::StatusOr<EventTexts> SplitEvents(std::string_view body, const SplitOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_SPLIT_EVENTS_H_
