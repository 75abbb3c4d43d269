// The body of a request that brings logs, cut into the rows that Ingest takes.
//
//     absl::StatusOr<EventTexts> events = SplitEvents(body, {.form = EventForm::kVector});
//     ingest->Append({.table = "edge_logs", .part = {.rows = events->rows}});
//
// A body is a JSON array of events, an object whose `batch` is one, one event, or lines of events. docs/ingest.md has the
// forms of events.
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

// How the events of a body become rows.
enum class EventShape {
  kRow,     // they are rows
  kObject,  // an object of any kind: it becomes the row's metadata, and its text the message
  kVector,  // message and timestamp stay, everything else becomes metadata
  kOtlp,    // the body is an ExportLogsServiceRequest of OpenTelemetry in JSON
};

struct SplitOptions {
  EventShape shape = EventShape::kRow;
  bool by_lines = false;  // each line is an event, and one that is no JSON spoils no other
  size_t max_events = 200'000;
  // Of rows that are made, as those of kObject, kVector and kOtlp are. They may be longer than the body: each record of OTLP
  // gets its resource and scope.
  size_t max_made_bytes = 128 << 20;
  // Asked before the rows take so many bytes more beside the body; false: there is no memory for them. Empty: there is.
  std::function<bool(size_t bytes)> grow = nullptr;
};

struct EventTexts {
  EventTexts() = default;
  EventTexts(EventTexts&&) = default;
  EventTexts& operator=(EventTexts&&) = default;

  std::vector<std::string_view> rows;  // they lie in the body or in `made`
  std::deque<std::string> made;
};

// InvalidArgument: the body is no JSON of that form, with the place; it has too many events. OutOfRange: the rows become longer
// than `max_made_bytes`. ResourceExhausted, with when to try again: `grow` said no. What is wrong with an event by itself is
// found when it is taken in. `body` is borrowed by what is returned.
absl::StatusOr<EventTexts> SplitEvents(std::string_view body, const SplitOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_SPLIT_EVENTS_H_
