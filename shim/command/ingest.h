// Taking logs in from HTTP requests, as the routes see it. Whose store it is, compose_ingest.cc knows.
#ifndef LOGQUERY_SHIM_COMMAND_INGEST_H_
#define LOGQUERY_SHIM_COMMAND_INGEST_H_

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

// What an event's keys mean; docs/ingest.md has what becomes of each.
enum class EventForm {
  kLogs,        // Logflare's: event_message or message, timestamp, metadata, and what else the log has
  kJson,        // any object: all of it is metadata
  kVector,      // Vector's: message and timestamp; the rest is metadata
  kCloudflare,  // as kLogs
  kOtlp,        // an ExportLogsServiceRequest of OpenTelemetry in JSON
};

struct IngestCall {
  const Principal& principal;
  std::string source;  // a log's or a table's name
  EventForm form = EventForm::kLogs;
  bool by_lines = false;  // the body says of itself that each line is an event
  std::string_view body;  // unpacked; borrowed for the call
  std::string idempotency_key = {};
  // Takes so many bytes more beside the body's, for what is made of it; false: there is no room. nullptr: without a bound.
  std::function<bool(int64_t)> grow = {};
};

struct IngestAnswer {
  struct Rejected {
    int64_t index = 0;  // among the body's events, from 0
    std::string reason;
  };
  int64_t rows = 0;  // that are in
  bool repeated = false;
  int64_t rejected_rows = 0;
  std::vector<Rejected> rejected;  // the first of them
};

struct IngestCounters {
  int64_t requests = 0;  // that were taken in
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t refused_requests = 0;  // by back-pressure
  int64_t batches = 0;
  int64_t rejected_bytes = 0;    // of rejected rows that the folder keeps
  int64_t rejected_removed = 0;  // rejected rows that it keeps no longer
  int64_t bytes_held = 0;        // of bodies on their way in, now
  absl::Duration lag = {};       // since the oldest request that waits came
};

// Thread-safe.
class LogIngest {
 public:
  // A part of the memory for bodies that are on their way in; it is given back when this goes.
  class Room {
   public:
    virtual ~Room() = default;
    // False: there is no memory for so many bytes more.
    virtual bool Grow(int64_t bytes) = 0;
  };

  virtual ~LogIngest() = default;
  // ResourceExhausted, with when to try again: there is no memory for so many bytes of the principal's now.
  virtual absl::StatusOr<std::unique_ptr<Room>> Reserve(const Principal& principal, int64_t bytes) = 0;
  // OK: `principal` may write the source, or events make it a log. NotFound, with the near names: there is no such source.
  // PermissionDenied. InvalidArgument: it is no name of a source that could become a log.
  virtual absl::Status CheckSource(const Principal& principal, std::string_view source) = 0;
  // Takes the body's events in: they are on the disk when it returns. CheckSource's statuses. InvalidArgument: the body is not
  // of its form, or no event of it could be taken. AlreadyExists: the key was used for another body. ResourceExhausted: the
  // token's quota. Unavailable: nothing can be taken in just now.
  virtual absl::StatusOr<IngestAnswer> Take(const IngestCall& call) = 0;
  virtual IngestCounters counters() const = 0;
  // The names of all sources: each log's table, in the schema's order.
  virtual std::vector<std::string> sources() const = 0;
  // Lets requests that are under way finish and refuses further ones.
  virtual void Stop() = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_INGEST_H_
