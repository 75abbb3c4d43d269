// One execution for all who ask for the same at one time, and answers that are kept while they are fresh.
//
//     auto got = flights.Get(key, absl::Seconds(900), cancellation, [&](const CancellationToken& t) { return Compute(t); });
//
// Who comes while the answer is being made waits for it. One that leaves does not cancel it while others wait; when all have
// left it is cancelled. An error that is the call's own (its text, its parameters) is for all who wait; one that is not (a
// deadline, a full queue, a cancellation) is the one's that it happened to: the others try again.
//
// Errors are not kept. Forget has everybody who asks after it get an answer that is made after it. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_SINGLE_FLIGHT_H_
#define LOGQUERY_LIB_ENDPOINT_SINGLE_FLIGHT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/result_cache.h"

namespace logquery::endpoint {

// For an answer that was made before: nothing of it took time now.
inline void ClearTimes(QueryAnswer& answer) {
  answer.parse_time = answer.plan_time = answer.execute_time = absl::ZeroDuration();
  answer.redact_time = answer.encode_time = absl::ZeroDuration();
}

class SingleFlight {
 public:
  using Compute = std::function<absl::StatusOr<CachedAnswer>(const CancellationToken&)>;
  struct Got {
    std::shared_ptr<const CachedAnswer> answer;
    CacheUse use = CacheUse::kMiss;
  };

  // Both are borrowed.
  SingleFlight(ResultCache* cache, const Clock* clock) : cache_(cache), clock_(clock) {}

  // An answer no older than `ttl`. Cancelled: the caller has left. Otherwise what `compute` returned.
  absl::StatusOr<Got> Get(const std::string& key, absl::Duration ttl, const CancellationToken& cancellation,
                          const Compute& compute);
  // Makes the answer anew and keeps it; after an error the one that is kept stays.
  absl::Status Refresh(const std::string& key, const CancellationToken& cancellation, const Compute& compute);

  // Forgets all answers. One that is being made now is for those alone who wait for it already, and is not kept.
  void Forget();

  // How many wait for it now, the one that makes it included.
  int WaitingFor(const std::string& key);

 private:
  struct Flight;

  std::shared_ptr<const CachedAnswer> FindFresh(const std::string& key, absl::Duration ttl);
  // The flight of that key, joined; `leads`: it was made for this caller, who has to run it.
  std::shared_ptr<Flight> Join(const std::string& key, bool& leads);
  void Leave(Flight& flight);
  // How often answers were forgotten.
  int64_t Forgotten();
  // Keeps the answer, unless answers were forgotten since that was `forgotten`.
  void Keep(const std::string& key, const std::shared_ptr<const CachedAnswer>& answer, int64_t forgotten);
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> Make(const std::string& key, Flight& flight,
                                                           const Compute& compute);
  void Run(const std::string& key, absl::Duration ttl, Flight& flight, const Compute& compute);
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> Await(Flight& flight, const CancellationToken& cancellation);

  ResultCache* const cache_;
  const Clock* const clock_;
  absl::Mutex forget_mutex_;  // held by readers while an answer is put into the cache
  int64_t forgotten_ ABSL_GUARDED_BY(forget_mutex_) = 0;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<Flight>> flights_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_SINGLE_FLIGHT_H_
