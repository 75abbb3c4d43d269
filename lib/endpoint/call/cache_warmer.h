// Recomputes cached answers before they expire, if they were requested since they were last computed.
//
//     CacheWarmer warmer(&flights, cache, clock, {.threads = 2});
//     if (!warmer.TouchAgain(key, coding)) warmer.Touch(key, coding, period, ttl, refresh);          // at every call
//
// Each thread recomputes one answer at a time. Due times are spread over a tenth of the period. If a refresh fails, the
// old answer stays, and the refresh is retried at the next due time. An entry is forgotten when nobody requests it
// within its TTL or the cache has evicted it. If there are more than 4,096 entries, or their keys and calls exceed 32
// MiB, the least recently requested entries are forgotten. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CACHE_WARMER_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CACHE_WARMER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "lib/endpoint/call/single_flight.h"
#include "logquery/content_coding.h"

namespace logquery::endpoint {

class CacheWarmer {
 public:
  // Those in which an answer was requested since it was last computed.
  using Codings = std::set<ContentCoding>;

  // `threads` may be 0; then only RunDue does work. While the system allows no further thread, there are fewer, and each Touch
  // tries to start the others. All pointers are borrowed.
  CacheWarmer(SingleFlight* flights, ResultCache* cache, const Clock* clock, int threads);
  // Cancels running refreshes.
  ~CacheWarmer();

  // Computes an answer anew, and compresses it for those who asked for it in these codings.
  using Refresh = std::function<absl::StatusOr<CachedAnswer>(const CancellationToken&, const Codings& asked)>;

  // Records a request for `key` in this coding. `refresh` computes its answer, which is not served once it is older than `ttl`.
  void Touch(const std::string& key, ContentCoding coding, absl::Duration period, absl::Duration ttl, Refresh refresh);
  // Records a further request, which needs no `refresh`. Returns false if `key` is not known.
  bool TouchAgain(const std::string& key, ContentCoding coding);
  // Recomputes everything that is due now, one after the other. Returns the number of recomputed answers.
  int RunDue();

 private:
  struct Entry {
    Refresh refresh;
    Codings codings;  // asked for since it was last made
    absl::Duration period;
    absl::Duration ttl;
    absl::Duration due;         // as Clock::Monotonic
    absl::Duration last_asked;  // likewise
    bool asked = false;         // since it was last made
    bool running = false;
  };

  absl::Duration NextDue(const std::string& key, const Entry& entry) const;
  // Forgets the least recently requested entries until there is room.
  void MakeRoom() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes a key that is due and marks it as running. Returns false if no key is due.
  bool TakeDue(std::string& key, SingleFlight::Compute& compute);
  void Loop();
  void StartThreads() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  SingleFlight* const flights_;
  ResultCache* const cache_;
  const Clock* const clock_;
  CancellationSource stop_;
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of all entries, by BytesOf
  const size_t wanted_threads_;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CACHE_WARMER_H_
