// Events as collectors send them over HTTP: rows from memory, less strict than those of files, and of several requests in one
// transaction. ingest.h is the way to send them; this is what the store takes.
//
// What an event may leave out or write otherwise than a file's row is settled in docs/ingest.md.
#ifndef LOGQUERY_STORE_EVENTS_H_
#define LOGQUERY_STORE_EVENTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logquery/cancellation.h"

namespace logquery {

// The events of one request.
struct EventPart {
  absl::Span<const std::string_view> rows = {};  // each the text of one JSON object; borrowed for the call
  // Who sends them, and a name that they chose for these rows: the same rows under the same name are taken once in 24 hours.
  // An empty key: the rows are always added.
  std::string sender = {};
  std::string key = {};
  // Not empty: the rows are this project's. One that names none gets it, one that names another is rejected.
  std::string project = {};
  bool may_learn = false;   // fields that are not declared become columns; otherwise they are kept as JSON
  absl::Time arrived = {};  // the time of rows that have none
};

struct EventBatch {
  std::string table = {};  // as LoadRequest's
  std::vector<EventPart> parts = {};
  CancellationToken cancellation = {};
};

struct RejectedEvent {
  int64_t index = 0;  // among the part's rows, from 0
  std::string reason;
};

struct EventOutcome {
  // AlreadyExists: the sender has used the key for other rows. Where it is not OK nothing of the part is in.
  absl::Status status = {};
  int64_t rows = 0;                          // accepted
  bool repeated = false;                     // they came before under the same key; the rest is what was answered then
  int64_t rejected_rows = 0;                 // the others; they are kept as rejected rows of files are
  std::vector<RejectedEvent> rejected = {};  // the first 1,000 of them, in order
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_EVENTS_H_
