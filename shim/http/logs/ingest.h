// Accepts logs from HTTP requests, as seen by the routes. compose_ingest.cc provides the store.
#ifndef LOGQUERY_SHIM_HTTP_LOGS_INGEST_H_
#define LOGQUERY_SHIM_HTTP_LOGS_INGEST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/authenticator.h"

namespace logquery::shim {

// The form of events; docs/ingest.md describes how each is converted.
enum class EventForm {
  kLogs,          // Logflare's: event_message or message, timestamp, metadata, and other columns of the log
  kJson,          // any object: it becomes the metadata
  kVector,        // Vector's: message and timestamp; everything else becomes metadata
  kCloudflare,    // like kLogs, or entries of Cloudflare's Logpush, which become metadata
  kOtlp,          // an ExportLogsServiceRequest of OpenTelemetry in JSON
  kOtlpProtobuf,  // the same in protobuf
};

struct IngestCall {
  const Principal& principal;
  std::string source;  // the name of a log or table
  EventForm form = EventForm::kLogs;
  bool by_lines = false;  // the body's content type states that each line is an event
  std::string_view body;  // uncompressed; borrowed for the call
  std::string idempotency_key = {};
  // Reserves this much memory in addition to the body; false: there is none left. nullptr: unlimited.
  std::function<bool(int64_t)> grow = {};
};

struct IngestAnswer {
  struct Rejected {
    int64_t index = 0;  // index among the body's events, from 0
    std::string reason;
  };
  // Values that do not fit the type of their field's column, and are stored as JSON.
  struct Misfit {
    std::string field;
    std::string type;
    int64_t values = 0;
  };
  int64_t rows = 0;  // stored
  bool repeated = false;
  int64_t rejected_rows = 0;
  std::vector<Rejected> rejected;  // the first ones
  std::vector<Misfit> misfits;     // in stored rows, by field
  std::string broken;              // why the body has no events; it is then the one rejected row
  std::string warning;             // what the sender should know although its events are stored
};

struct IngestCounters {
  int64_t requests = 0;  // accepted
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t refused_requests = 0;  // rejected for lack of room
  int64_t batches = 0;
  int64_t rejected_bytes = 0;    // of the rejected rows in the folder
  int64_t rejected_removed = 0;  // rejected rows that were deleted
  int64_t bytes_held = 0;        // of request bodies in progress, now
  int64_t misfit_values = 0;     // that did not fit the column of their field, and are kept as JSON
  absl::Duration lag = {};       // age of the oldest waiting request
};

// Thread-safe.
class LogIngest {
 public:
  // A reservation of memory for request bodies, released by the destructor.
  class Room {
   public:
    virtual ~Room() = default;
    // Returns false if there is no memory for this many more bytes.
    virtual bool Grow(int64_t bytes) = 0;
  };

  virtual ~LogIngest() = default;
  // ResourceExhausted, with a time to retry: there is no memory now for this many bytes of the principal's.
  virtual absl::StatusOr<std::unique_ptr<Room>> Reserve(const Principal& principal, int64_t bytes) = 0;
  // Returns OK if `principal` may write the source, or if events may make it a log. NotFound: there is no such source; the message
  // has near names. PermissionDenied. InvalidArgument: no log may have this name.
  virtual absl::Status CheckSource(const Principal& principal, std::string_view source) = 0;
  // Stores the body's events; they are on disk when it returns. Statuses: those of CheckSource. InvalidArgument: the
  // body is malformed, or none of its events could be stored. AlreadyExists: the key was used for another body.
  // ResourceExhausted: the token's quota. Unavailable: nothing can be stored now.
  virtual absl::StatusOr<IngestAnswer> Take(const IngestCall& call) = 0;
  virtual IngestCounters counters() const = 0;
  // Returns the names of the sources that the principal may write and see: each log's table, in the schema's order. A
  // log that another project's source made is not among them.
  virtual std::vector<std::string> sources(const Principal& principal) const = 0;
  // Lets requests in progress finish, and rejects new ones.
  virtual void Stop() = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_LOGS_INGEST_H_
