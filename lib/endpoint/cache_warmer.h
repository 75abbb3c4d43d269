// Makes kept answers anew before anybody has to wait for it: those that were asked for since they were last made.
//
//     CacheWarmer warmer(&flights, cache, clock, {.threads = 2});
//     warmer.Touch(key, period, ttl, compute);          // at every call
//
// At most as many at one time as there are threads. What is due at one time is spread over a tenth of the period. A failed
// refresh keeps what there was, and is tried again when the next is due. What nobody asks for within its TTL, or the cache
// has dropped, is forgotten; so is, beyond 4,096 answers or 32 MiB of keys and calls, what was not asked for for the longest time.
// Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_CACHE_WARMER_H_
#define LOGQUERY_LIB_ENDPOINT_CACHE_WARMER_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "lib/endpoint/single_flight.h"

namespace logquery::endpoint {

class CacheWarmer {
 public:
  // `threads` may be 0: then RunDue is all there is. All are borrowed.
  CacheWarmer(SingleFlight* flights, ResultCache* cache, const Clock* clock, int threads);
  // Cancels what is being made.
  ~CacheWarmer();

  // That somebody asked for `key`, which `compute` makes and which is not served when it is older than `ttl`.
  void Touch(const std::string& key, absl::Duration period, absl::Duration ttl, SingleFlight::Compute compute);
  // Makes what is due now, one after the other; returns how many it made.
  int RunDue();

 private:
  struct Entry {
    SingleFlight::Compute compute;
    absl::Duration period;
    absl::Duration ttl;
    absl::Duration due;         // as Clock::Monotonic
    absl::Duration last_asked;  // likewise
    bool asked = false;         // since it was last made
    bool running = false;
  };

  absl::Duration NextDue(const std::string& key, const Entry& entry) const;
  // Forgets what was asked for longest ago until there is room.
  void MakeRoom() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A key that is due, marked as running; false: none is.
  bool TakeDue(std::string& key, SingleFlight::Compute& compute);
  void Loop();

  SingleFlight* const flights_;
  ResultCache* const cache_;
  const Clock* const clock_;
  CancellationSource stop_;
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of all entries, by BytesOf
  std::vector<std::thread> threads_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CACHE_WARMER_H_
