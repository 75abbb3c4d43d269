// Calls functions at their deadlines, with one thread for all deadlines of a backend.
//
//     Deadlines deadlines;
//     Deadlines::Guard guard = deadlines.Add(absl::Seconds(30), [&] { connection->Stop(generation, kDeadline); });
//
// Thread-safe. Guards must not outlive the Deadlines.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DEADLINES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DEADLINES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/lasting_thread.h"

namespace logquery::duckdb {

class Deadlines {
 public:
  // Keeps the function registered while it lives; the destructor waits for a running call.
  class Guard {
   public:
    Guard() = default;
    Guard(Guard&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)), key_(std::move(other.key_)) {}
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (owner_ != nullptr) owner_->Remove(key_);
    }

   private:
    friend class Deadlines;
    // The monotonic time, and a number that distinguishes equal times.
    using Key = std::pair<absl::Duration, uint64_t>;
    Guard(Deadlines* owner, Key key) : owner_(owner), key_(key) {}
    Deadlines* owner_ = nullptr;
    Key key_;
  };

  Deadlines() = default;
  ~Deadlines();

  // Calls `callback` once on the deadline thread when `after` has passed; it must be quick and must not add a deadline.
  // For an infinite `after` it is never called, and the thread is not involved. Unavailable: the system allows no
  // thread for the deadlines.
  [[nodiscard]] absl::StatusOr<Guard> Add(absl::Duration after, std::function<void()> callback);

 private:
  void Remove(const Guard::Key& key);
  void Loop();

  absl::Mutex mutex_;
  // Callbacks run under the mutex, so that Remove waits for them.
  std::map<Guard::Key, std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::CondVar changed_;
  base::LastingThread thread_{"the deadlines of queries", [this] { Loop(); }};  // uses all of the above
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DEADLINES_H_
