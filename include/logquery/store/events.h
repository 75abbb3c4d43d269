// Events as collectors send them over HTTP: rows from memory, validated less strictly than rows of files, with the
// events of several requests in one transaction. Programs send events through ingest.h; this header is the interface
// between it and the store.
//
// docs/ingest.md defines how an event may differ from a row of a file.
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

struct RejectedEvent {
  int64_t index = 0;  // index into the part's rows, from 0
  std::string reason;
};

// The number of rows rejected for a reason. The reason names the field and holds no value of a row: "status is no INT64".
struct RejectedCount {
  std::string reason;
  int64_t rows = 0;
};

// The reason of rows that are counted together because there are more than 50 reasons.
inline constexpr std::string_view kOtherReasons = "other reasons";

// The events of one request.
struct EventPart {
  absl::Span<const std::string_view> rows = {};  // each is the text of one JSON object; borrowed for the call
  // Rows that the caller knows to be no events, by index in ascending order; borrowed for the call. They are rejected
  // with these reasons, and kept as other rejected rows are.
  absl::Span<const RejectedEvent> refused = {};
  // The sender, and the name that it chose for these rows: within 24 hours, rows with the same sender and key are
  // stored only once. An empty key: the rows are always added.
  std::string sender = {};
  std::string key = {};
  // If not empty: all rows belong to this project. A row without a project gets it; a row with another project is
  // rejected.
  std::string project = {};
  bool may_learn = false;   // undeclared fields become columns; otherwise they are kept as JSON
  absl::Time arrived = {};  // used as the time of rows that have none
};

struct EventBatch {
  std::string table = {};  // as in LoadRequest
  std::vector<EventPart> parts = {};
  CancellationToken cancellation = {};
};

// Values of one field that do not fit the type of its column. They are stored as JSON beside the column, which is NULL in
// these rows.
struct MisfitValues {
  std::string field;  // "metadata.request.status"
  std::string type;   // of the column: "INT64", or "an object" for a record
  int64_t values = 0;
};

struct EventOutcome {
  // AlreadyExists: the sender used the key for other rows. On any error, none of the part's rows is stored.
  absl::Status status = {};
  int64_t rows = 0;           // accepted
  bool repeated = false;      // they were stored before under the same key; the other fields repeat that outcome
  int64_t rejected_rows = 0;  // kept in the same way as rejected rows of files
  std::vector<RejectedEvent> rejected = {};  // the first 1,000 rejected rows, in order
  std::vector<MisfitValues> misfits = {};    // in accepted rows, by field
  // All rejected rows, the most frequent reason first. Those that EventPart::refused named have one reason here.
  std::vector<RejectedCount> rejected_by_reason = {};
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_EVENTS_H_
