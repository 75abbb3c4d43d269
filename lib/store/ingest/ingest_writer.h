// Implements Ingest: requests wait in one queue per table until a batch is due.
#ifndef LOGQUERY_LIB_STORE_INGEST_INGEST_WRITER_H_
#define LOGQUERY_LIB_STORE_INGEST_INGEST_WRITER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/store/ingest/sender_shares.h"
#include "logquery/store/ingest.h"

namespace logquery::store {

class IngestWriter : public Ingest {
 public:
  IngestWriter(const IngestOptions& options, LogStore* store)
      : options_(options), store_(store), shares_(options.max_bytes / 4) {}
  ~IngestWriter() override { End(); }

  absl::Status Start() override;
  void Stop() override { End(); }
  bool CommitReady() override;
  absl::StatusOr<EventOutcome> Append(const IngestRequest& request) override;
  void Submit(const IngestRequest& request, Done done) override;
  absl::StatusOr<std::unique_ptr<Reservation>> Reserve(int64_t bytes, const std::string& sender) override;
  IngestState state() const override;

 private:
  class Held;
  struct Waiting {
    EventPart part;
    Done done;
    std::unique_ptr<Reservation> held;  // nullptr: the caller holds it
    absl::Duration since;
  };
  struct Queue {
    std::deque<Waiting> waiting;
    int64_t rows = 0;
  };
  struct Batch {
    std::string table;
    std::vector<Waiting> requests;
  };

  void Run();
  void End();
  // ResourceExhausted: there is not enough memory left for these bytes.
  absl::Status CheckRoom(int64_t bytes) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  // ResourceExhausted: too many requests wait, or the oldest has waited too long.
  absl::Status CheckQueue() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  bool GrowHeld(int64_t bytes, const std::string& sender);
  void GiveBack(int64_t bytes, const std::string& sender);
  std::vector<Batch> TakeBatches();
  // `may_retry`: if the outcome is unknown, commits requests with a key once more.
  void Commit(Batch batch, bool may_retry);
  void CommitAlone(const std::string& table, Waiting waiting, bool may_retry);
  void Answer(Waiting& waiting, absl::StatusOr<EventOutcome> outcome);
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return waiting_ > 0 || stopping_; }
  bool IsFull() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  // Arrival of the oldest queued request; infinite if there is none.
  absl::Duration OldestWaiting() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  // Age of the oldest unanswered request; zero if there is none.
  absl::Duration OldestAge() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  // Time until a batch is due by age; infinite if the queues are empty.
  absl::Duration DueIn() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const IngestOptions options_;
  LogStore* const store_;
  mutable absl::Mutex mutex_;
  std::map<std::string, Queue> queues_ ABSL_GUARDED_BY(mutex_);  // by table; none is empty
  int64_t waiting_ ABSL_GUARDED_BY(mutex_) = 0;                  // queued requests
  int64_t held_ ABSL_GUARDED_BY(mutex_) = 0;
  SenderShares shares_ ABSL_GUARDED_BY(mutex_);
  int64_t reservations_ ABSL_GUARDED_BY(mutex_) = 0;
  // Arrival of the oldest request in the batches that are being committed.
  absl::Duration committing_since_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteDuration();
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  IngestState counted_ ABSL_GUARDED_BY(mutex_);
  absl::Mutex thread_mutex_;
  std::thread thread_ ABSL_GUARDED_BY(thread_mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_INGEST_WRITER_H_
