// One writer for events that come in many small requests: they join batches of about 50 ms or 10,000 rows, each of which is one
// transaction, and each request is answered when its events are on the disk.
//
//     std::unique_ptr<Ingest> ingest = Ingest::Create({}, &backend->store());
//     ingest->Start();
//     std::vector<std::string_view> rows = {R"({"message":"GET /","project":"abc"})"};
//     absl::StatusOr<EventOutcome> outcome = ingest->Append({.table = "edge_logs", .part = {.rows = rows}});
//
// What waits is bounded in bytes, requests and time: beyond that a request is refused, and says when to come again. What is
// answered outlives a crash at any moment; of what is not answered a request is in as a whole or not at all.
#ifndef LOGQUERY_STORE_INGEST_H_
#define LOGQUERY_STORE_INGEST_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/store/events.h"
#include "logquery/store/log_store.h"

namespace logquery {

struct IngestOptions {
  // What a batch waits for, whichever comes first.
  int64_t batch_rows = 10'000;
  absl::Duration batch_time = absl::Milliseconds(50);
  int64_t max_bytes = 256LL << 20;  // of events that wait, with what Reserve has given
  // Requests under way, from Reserve or Submit until their answer. Bounds the threads that wait in Append.
  int64_t max_requests = std::numeric_limits<int64_t>::max();
  // Requests are refused while an older one waits for longer than this, such as during a long load.
  absl::Duration max_wait = absl::Seconds(10);
  const Clock* clock = Clock::Real();  // borrowed
};

// ErrorDetails::reason where the commit itself failed, in statuses of LogStore::AppendEvents and of Ingest: the events may be
// stored or not. All other errors say that none of them is.
inline constexpr char kOutcomeUnknown[] = "outcomeUnknown";

struct IngestRequest {
  std::string table = {};  // as LoadRequest's
  EventPart part = {};     // `arrived` is set by the clock
  // The caller has the bytes of the rows from Reserve already.
  bool is_reserved = false;
};

struct IngestState {
  int64_t requests = 0;  // that were taken in
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t refused = 0;  // requests, and calls of Reserve and Grow, for which there was no room
  int64_t batches = 0;
  int64_t waiting_requests = 0;  // now, and so are these
  int64_t held_bytes = 0;
  absl::Duration lag;         // since the oldest request came that has no answer yet
  absl::Status stopped = {};  // why the last batch was not taken in; OK: it was
};

// Thread-safe, but for CommitReady.
class Ingest {
 public:
  using Done = std::function<void(absl::StatusOr<EventOutcome>)>;
  // Memory that is held until this goes; it outlives no Ingest.
  class Reservation {
   public:
    virtual ~Reservation() = default;
    virtual bool Grow(int64_t bytes) = 0;
  };

  // `store` is borrowed.
  static std::unique_ptr<Ingest> Create(const IngestOptions& options, LogStore* store);
  // As Stop.
  virtual ~Ingest() = default;

  // Commits batches, on a thread of its own, until Stop; that commits what waits.
  virtual void Start() = 0;
  virtual void Stop() = 0;
  // Commits what is ready by the clock; true: there was something. For who has a thread already, in place of Start.
  virtual bool CommitReady() = 0;

  // Waits until the events are on the disk, or were found to be there. The statuses of LogStore::AppendEvents and of an outcome;
  // ResourceExhausted, with when to try again: too much waits already; Unavailable: it is stopped, or nothing can be
  // written just now, such as on a full disk. Unavailable with kOutcomeUnknown: the commit failed. A request with a key is
  // tried once more before this answer, because it can't be stored twice.
  virtual absl::StatusOr<EventOutcome> Append(const IngestRequest& request) = 0;
  // The same without waiting: `done` is called once, from this thread or the one that commits; until then what the request borrows is to
  // stay.
  virtual void Submit(const IngestRequest& request, Done done) = 0;
  // Memory for the events of one request that is on its way to Append. ResourceExhausted, as there. Requests of one sender
  // get a quarter of `max_bytes`, but a sender's only request may be larger. An empty sender is not bounded in this way.
  virtual absl::StatusOr<std::unique_ptr<Reservation>> Reserve(int64_t bytes, const std::string& sender) = 0;

  virtual IngestState state() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_INGEST_H_
