// Receives logs from senders into a data folder: finds a source's table, checks the sender's right and quota, limits the memory
// of bodies in progress, and stores events in batches (store/ingest.h).
//
//     auto receiver = logquery::LogReceiver::Create(backend.get(), {.max_bytes = 64 << 20});
//     auto admission = (*receiver)->Admit(principal, "edge_logs", content_length);  // before the body is read
//     auto received = (*receiver)->Append(**admission, {.text = body, .shape = logquery::EventShape::kVector});
//     received->rows;
//
// A source is the name of a log or of its table, a UUID of LogReceiverOptions::source_ids, or a new name that becomes a log with
// its first events. A log that a source made belongs to the projects whose tokens write to it: a token of another project neither
// finds it nor reads its name in an error or a list. If that project writes to a source of the same name, the log becomes its own
// as well.
//
// Rows are stored as they were sent, and so are the reasons for which others were rejected: a caller whose sender's
// Principal::redact_pii is set redacts ReceivedLogs before it answers (ingest_response.h).
//
// Thread-safe; Append blocks until the events are on disk. The backend is borrowed and must outlive the receiver, which must
// outlive its admissions.
#ifndef LOGQUERY_SERVING_LOG_RECEIVER_H_
#define LOGQUERY_SERVING_LOG_RECEIVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/store/events.h"
#include "logquery/store/ingest.h"
#include "logquery/store/split_events.h"

namespace logquery {

class DuckDbBackend;

struct LogReceiverOptions {
  int64_t max_bytes = 256LL << 20;  // of bodies in progress
  int64_t max_requests = 128;       // in progress at one time
  // A source without a log becomes one while its project has made fewer than this; 0: no source does.
  int64_t max_new_logs = 0;
  // UUIDs by which clients of Logflare name a source, and the log or table that each stands for.
  std::map<std::string, std::string> source_ids = {};
  // Declares a new source's log. Empty: DuckDbBackend::DeclareLogs, whose arguments and statuses it has.
  std::function<absl::Status(const std::string& source, const std::string& json)> declare = {};
};

// The permission to append one body to a source, with the memory reserved for it, which its destructor releases. Used by one
// thread at a time.
class LogAdmission {
 public:
  virtual ~LogAdmission() = default;
  virtual const Principal& principal() const = 0;  // whom Admit admitted
  // Reserves more memory, for a body that turns out to be longer. Returns false if there is none.
  virtual bool Grow(int64_t bytes) = 0;
};

struct LogBody {
  std::string_view text;  // uncompressed; borrowed for the call
  EventShape shape = EventShape::kRow;
  bool by_lines = false;  // each line is an event, an array or a batch
  // Within 24 hours, bodies with the same sender and key are stored only once. Empty: the body is always stored.
  std::string idempotency_key = {};
  // EventShape::kCloudEventData: as in SplitOptions. EventFormOf makes them of a request's headers.
  std::string attributes = "{}";
};

struct ReceivedLogs {
  int64_t rows = 0;       // stored
  bool repeated = false;  // the rows were stored before under the same key; the other fields repeat that outcome
  int64_t rejected_rows = 0;
  std::vector<RejectedEvent> rejected;  // the first 1,000 rejected rows
  std::vector<MisfitValues> misfits;    // in stored rows, by field
  std::string broken;                   // why the body has no events; it is then the one rejected row
  std::string warning;                  // what the sender should know although its events are stored
  // All rejected rows, the most frequent reason first; holds no values of rows.
  std::vector<RejectedCount> rejected_by_reason = {};
};

struct LogReceiverState {
  IngestState ingest;
  int64_t misfit_values = 0;  // that did not fit the column of their field since the folder was opened
  // These two are those of RejectedEventsState.
  int64_t rejected_bytes = 0;
  int64_t removed_rejected_rows = 0;
};

class LogReceiver {
 public:
  // Starts a thread that commits batches. InvalidArgument: there is no backend, or a UUID of `source_ids` stands for a log that
  // does not exist. ResourceExhausted: the system allows no further thread. Otherwise the statuses of QueryBackend::ReadCatalog.
  static absl::StatusOr<std::unique_ptr<LogReceiver>> Create(DuckDbBackend* backend, LogReceiverOptions options);
  // Calls Stop.
  virtual ~LogReceiver() = default;

  // Admits a body of `bytes` bytes from the principal to the source; 0 if its length is not known yet.
  //   PermissionDenied   the principal may not write the source
  //   NotFound           there is no such source, and it may not become a log; the message and ErrorDetails::nearest have names
  //                      like it that the principal may write
  //   InvalidArgument    the source may become a log, but no log may have this name
  //   ResourceExhausted  there is no memory now; with a time to retry
  virtual absl::StatusOr<std::unique_ptr<LogAdmission>> Admit(const Principal& principal, std::string_view source,
                                                              int64_t bytes) = 0;
  // Stores the body's events, and makes the log of a new source. `admission` comes from Admit of this receiver.
  //   InvalidArgument    the body is empty, has too many events, or is malformed and would be a new source's first
  //   OutOfRange         the rows that the body expands to are too large
  //   AlreadyExists      the sender used the key for another body
  //   ResourceExhausted  the token's quota is used up, or there is no memory for the rows; with a time to retry
  //   NotFound           the project has made as many logs as it may since the admission
  // Otherwise the statuses of Ingest::Append and of declaring a log. A body of which some or all events are rejected is OK.
  virtual absl::StatusOr<ReceivedLogs> Append(LogAdmission& admission, const LogBody& body) = 0;

  // Returns the tables that the principal may write and see, in the catalog's order.
  virtual std::vector<std::string> Sources(const Principal& principal) const = 0;
  virtual LogReceiverState state() const = 0;
  // Stores the events that were appended, and rejects further ones with Unavailable. Idempotent.
  virtual void Stop() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_SERVING_LOG_RECEIVER_H_
