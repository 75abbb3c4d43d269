// Collects the events of many small requests into batches of about 50 ms or 10,000 rows. Each batch is one transaction,
// and each request is answered when its events are on disk.
//
//     std::unique_ptr<Ingest> ingest = Ingest::Create({}, &backend->store());
//     if (absl::Status started = ingest->Start(); !started.ok()) return started;
//     std::vector<std::string_view> rows = {R"({"message":"GET /","project":"abc"})"};
//     absl::StatusOr<EventOutcome> outcome = ingest->Append({.table = "edge_logs", .part = {.rows = rows}});
//
// Waiting requests are limited in bytes, number and time; beyond that, requests are rejected with a time to retry.
// Events of an answered request survive a crash at any moment. An unanswered request is stored completely or not at
// all.
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
  // A batch is committed when either limit is reached; with 1,000 rows at once, if no other request is under way.
  int64_t batch_rows = 10'000;
  absl::Duration batch_time = absl::Milliseconds(50);
  int64_t max_bytes = 256LL << 20;  // of waiting events, including memory from Reserve
  // Requests in progress, from Reserve or Submit until their answer. Limits the number of threads that wait in Append.
  int64_t max_requests = std::numeric_limits<int64_t>::max();
  // While the oldest request has waited longer than this, for example during a long load, new requests are rejected.
  absl::Duration max_wait = absl::Seconds(10);
  const Clock* clock = Clock::Real();  // borrowed
};

struct IngestRequest {
  std::string table = {};  // as in LoadRequest
  EventPart part = {};     // Ingest sets `arrived`
  // The caller already has a reservation for the rows' bytes.
  bool is_reserved = false;
};

struct IngestState {
  int64_t requests = 0;  // accepted since the start
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t refused = 0;  // requests, and calls of Reserve and Grow, rejected for lack of room
  int64_t batches = 0;
  int64_t waiting_requests = 0;  // currently; so is held_bytes
  int64_t held_bytes = 0;
  absl::Duration lag;         // the age of the oldest unanswered request
  absl::Status stopped = {};  // why the last batch was not stored; OK: it was
};

// Thread-safe, except CommitReady.
class Ingest {
 public:
  using Done = std::function<void(absl::StatusOr<EventOutcome>)>;
  // Holds memory until it is destroyed. Must not outlive its Ingest.
  class Reservation {
   public:
    virtual ~Reservation() = default;
    virtual bool Grow(int64_t bytes) = 0;
  };

  // `store` is borrowed.
  static std::unique_ptr<Ingest> Create(const IngestOptions& options, LogStore* store);
  // Calls Stop.
  virtual ~Ingest() = default;

  // Start commits batches on a thread of its own until Stop. ResourceExhausted: the system allows no further thread. Stop
  // commits the waiting events first.
  virtual absl::Status Start() = 0;
  virtual void Stop() = 0;
  // Commits the batches that are due. Returns whether there were any. Use it instead of Start to commit on your own
  // thread.
  virtual bool CommitReady() = 0;

  // Waits until the events are on disk, or were found to be stored already. Returns the statuses of
  // LogStore::AppendEvents and of an outcome, and: ResourceExhausted with a time to retry if too many requests wait;
  // Unavailable if it is stopped, or nothing can be written now, for example on a full disk; Unavailable with
  // ErrorReason::kOutcomeUnknown if the commit failed and the events may or may not be stored. A request with a key is
  // tried once more before this last answer, because its rows can't be stored twice.
  virtual absl::StatusOr<EventOutcome> Append(const IngestRequest& request) = 0;
  // As Append, without waiting. Calls `done` once, on the calling thread or the one that commits. Until then everything
  // that the request borrows must stay valid.
  virtual void Submit(const IngestRequest& request, Done done) = 0;
  // Reserves memory for the events of a request that will be passed to Append. ResourceExhausted: as in Append. The
  // requests of one sender get at most a quarter of `max_bytes`, except that a sender's only request may be larger. An
  // empty sender has no such limit.
  virtual absl::StatusOr<std::unique_ptr<Reservation>> Reserve(int64_t bytes, const std::string& sender) = 0;

  virtual IngestState state() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_INGEST_H_
