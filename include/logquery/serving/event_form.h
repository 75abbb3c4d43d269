// Tells how the events of an HTTP request with logs are written: by the end of its path, its Content-Type and, for CloudEvents, its
// headers. For programs that receive logs over HTTP with log_receiver.h.
//
//     const auto form = logquery::EventFormOf("/api/logs/cloud-event", "application/json", headers);
//     if (!form.ok()) return Answer(absl::IsUnimplemented(form.status()) ? 415 : 400, form.status().message());
//     receiver->Append(**admission, {.text = body, .shape = form->shape, .by_lines = form->by_lines, .attributes = form->attributes});
//
// Everything here is thread-safe.
#ifndef LOGQUERY_SERVING_EVENT_FORM_H_
#define LOGQUERY_SERVING_EVENT_FORM_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logquery/store/split_events.h"

namespace logquery {

// These three are the members of LogBody with the same names.
struct EventForm {
  EventShape shape = EventShape::kRow;
  bool by_lines = false;
  std::string attributes = {};
};

// `path` is that of a route of docs/ingest.md, such as "/logs/vector" or "/v1/logs". `content_type` is the header's value; empty:
// there is none. `headers` are all headers of the request, read only for CloudEvents in binary mode.
//   Unimplemented    this path does not take bodies of this type (415)
//   InvalidArgument  a header is not a valid attribute of a CloudEvent (400)
absl::StatusOr<EventForm> EventFormOf(std::string_view path, std::string_view content_type,
                                      absl::Span<const std::pair<std::string, std::string>> headers);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_EVENT_FORM_H_
