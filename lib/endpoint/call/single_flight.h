// Shares one execution among concurrent callers with the same key, and keeps answers while they are fresh.
//
//     auto got = flights.Get(key, ttl, cancellation, [&](const CancellationToken& token) { return Compute(token); });
//
// A caller that arrives while the answer is being computed waits for it. The computation is cancelled only when all
// callers have left. An error caused by the call itself (its text, its parameters) is returned to all waiting callers.
// Any other error (a deadline, a full queue, a cancellation) is returned only to the caller that hit it; the others try
// again.
//
// Errors are not cached. After Forget, every new caller gets an answer that is computed after it. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_SINGLE_FLIGHT_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_SINGLE_FLIGHT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "logquery/call_trace.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/result_cache.h"

namespace logquery::endpoint {

// For an answer from the cache: it took no time in this call.
inline void ClearTimes(QueryAnswer& answer) {
  answer.parse_time = answer.plan_time = answer.execute_time = absl::ZeroDuration();
  answer.redact_time = answer.encode_time = absl::ZeroDuration();
}

class SingleFlight {
 public:
  using Compute = std::function<absl::StatusOr<CachedAnswer>(const CancellationToken&)>;
  // The caller that joins a flight.
  struct Caller {
    Caller() = default;
    Caller(CancellationToken token) : cancellation(std::move(token)) {}  // NOLINT: a caller without a trace
    Caller(CancellationToken token, CallTrace* steps, std::string own)
        : cancellation(std::move(token)), trace(steps), traceparent(std::move(own)) {}
    CancellationToken cancellation;
    CallTrace* trace = nullptr;    // receives the waits for other callers; nullptr: nobody does
    std::string traceparent = {};  // identifies this caller in the traces of those that wait for it
  };
  struct Got {
    std::shared_ptr<const CachedAnswer> answer;
    CacheUse use = CacheUse::kMiss;
  };

  // Both pointers are borrowed.
  SingleFlight(ResultCache* cache, const Clock* clock) : cache_(cache), clock_(clock) {}

  // Returns an answer that is at most `ttl` old. Cancelled: the caller cancelled. Otherwise the status of `compute`.
  absl::StatusOr<Got> Get(const std::string& key, absl::Duration ttl, const Caller& caller, const Compute& compute);
  // Returns the answer that Get would return without computing it; nullptr if there is none.
  std::shared_ptr<const CachedAnswer> FindFresh(const std::string& key, absl::Duration ttl);
  // Recomputes the answer and caches it, or waits for the answer if a caller computes it already. No caller waits for a refresh,
  // which may hang. After an error the cached answer stays.
  absl::Status Refresh(const std::string& key, const CancellationToken& cancellation, const Compute& compute);

  // Drops all answers. An answer that is being computed goes only to the callers that already wait for it, and is not cached.
  void Forget();

  // Returns the number of callers waiting for the key, including the one that computes.
  int WaitingFor(const std::string& key);

 private:
  struct Flight;

  // Joins the flight for this key. `leads`: the flight is new, and this caller must run it.
  std::shared_ptr<Flight> Join(const std::string& key, const Caller& caller, bool& leads);
  // Joins the flight for this key; nullptr: there is none.
  std::shared_ptr<Flight> JoinRunning(const std::string& key);
  void Leave(Flight& flight);
  // How often answers were forgotten.
  int64_t Forgotten();
  // Keeps the answer, unless answers were forgotten since that was `forgotten`.
  void Keep(const std::string& key, const std::shared_ptr<const CachedAnswer>& answer, int64_t forgotten);
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> Make(const std::string& key, Flight& flight,
                                                           const Compute& compute);
  void Run(const std::string& key, absl::Duration ttl, Flight& flight, const Compute& compute);
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> Await(Flight& flight, const CancellationToken& cancellation);
  // As Await, for a caller that does not lead.
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> AwaitOther(Flight& flight, const Caller& caller);

  ResultCache* const cache_;
  const Clock* const clock_;
  absl::Mutex forget_mutex_;  // held by readers while an answer is put into the cache
  int64_t forgotten_ ABSL_GUARDED_BY(forget_mutex_) = 0;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<Flight>> flights_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_SINGLE_FLIGHT_H_
