// Ends queries while the process uses more memory than its limit, starting with the one since whose start the memory has
// grown most.
//
//     MemoryWatch watch({.limit_bytes = 3LL << 30, .on_stuck = [] { std::_Exit(1); }});
//     service_options.guard = &watch;
//
// An engine limits its own buffers, but not everything that a query allocates. This limit applies to the whole process
// as the operating system counts it, so use one watch per process. One thread checks every 10 ms while a query runs and
// while the memory is above the limit. Thread-safe.
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
  int64_t limit_bytes = 0;  // resident memory; the engine's limit plus 384 MiB works well in practice
  absl::Duration patience = absl::Seconds(1);
  // Called if the memory is still above the limit `patience` after the first query was ended, and again after each
  // further `patience`. Only ending the process helps then. Empty: nothing happens.
  std::function<void()> on_stuck;
  // Receives a readable line for each query that is ended. May be empty.
  std::function<void(std::string_view line)> log;
  // Returns the process's memory in bytes; negative: unknown, and no query is ended. Empty: the resident memory that
  // the system reports (/proc/self/statm).
  std::function<int64_t()> resident_bytes;
  ExecutionGuard* next = nullptr;  // consulted before a run is watched; borrowed
};

class MemoryWatch : public ExecutionGuard {
 public:
  struct Counters {
    int64_t resident_bytes = 0;  // read by counters(); negative: unknown
    int64_t limit_bytes = 0;
    int64_t ended = 0;  // queries ended since the start
  };

  explicit MemoryWatch(MemoryWatchOptions options);
  ~MemoryWatch() override;

  // Returns a pass, or the error of `next`. Unavailable: the system allows no thread for the checks; the next call tries again. A
  // run that the watch ends gets ResourceExhausted, with the reason "resourcesExceeded". Passes must not outlive the watch.
  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey& key, absl::Duration time_limit,
                                              const CancellationToken& cancellation) override;
  Counters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery

#endif  // LOGQUERY_MEMORY_WATCH_H_
