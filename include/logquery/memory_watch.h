// Ends queries when the process has more memory than it may have: those first that have run for longest.
//
//     MemoryWatch watch({.limit_bytes = 3LL << 30, .on_stuck = [] { std::_Exit(1); }});
//     service_options.guard = &watch;
//
// An engine counts its buffers against a limit of its own, but not everything that a query allocates. This is the limit for
// the process as the system counts it, so all users of a process share one watch. It looks every 10 ms while a query runs and
// while the memory is above the limit, and has one thread. Thread-safe.
#ifndef LOGQUERY_MEMORY_WATCH_H_
#define LOGQUERY_MEMORY_WATCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/execution_guard.h"

namespace logquery {

struct MemoryWatchOptions {
  int64_t limit_bytes = 0;  // of resident memory; what the engine may have, and 384 MiB, has proved right
  absl::Duration patience = absl::Seconds(1);
  // Called when the memory is still above the limit `patience` after the first query was ended: all that is left is to end
  // the process. Called again after each further `patience`. Empty: nothing is done.
  std::function<void()> on_stuck;
  // Gets a line for people for each query that is ended. Empty: nobody is told.
  std::function<void(std::string_view line)> log;
  // The memory that the process has now, in bytes; negative: not known, which ends nothing. Empty: the resident memory that
  // the system tells (/proc/self/statm).
  std::function<int64_t()> resident_bytes;
  ExecutionGuard* next = nullptr;  // asked before a run is watched; borrowed
};

class MemoryWatch : public ExecutionGuard {
 public:
  struct Counters {
    int64_t resident_bytes = 0;  // when last looked at; negative: not known
    int64_t limit_bytes = 0;
    int64_t ended = 0;  // queries, since the start
  };

  explicit MemoryWatch(MemoryWatchOptions options);
  ~MemoryWatch() override;

  // What `next` returns. A run that the watch ends gets ResourceExhausted, with the reason "resourcesExceeded". Passes must
  // not outlive the watch.
  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) override;
  Counters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery

#endif  // LOGQUERY_MEMORY_WATCH_H_
