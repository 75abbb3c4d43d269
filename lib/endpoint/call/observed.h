// Sends events about calls and queries to a service's observer. Costs nothing if there is no observer.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_OBSERVED_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_OBSERVED_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/bound_call.h"
#include "logquery/call_target.h"
#include "logquery/clock.h"
#include "logquery/query_answer.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"

namespace logquery::endpoint {

// In all of these, `observer` may be nullptr.

// One call of Run or Check, from start to end.
class ObservedCall {
 public:
  // All are borrowed.
  ObservedCall(ServiceObserver* observer, const Clock* clock, const CallTarget& target, const QueryRequest& request);

  void Admitted() { admitted_ = true; }
  void End(const absl::StatusOr<QueryAnswer>& answer) const;
  void EndDryRun(const absl::Status& status) const;

 private:
  CallEvent Event(absl::StatusCode code) const;

  ServiceObserver* const observer_;
  const Clock* const clock_;
  const CallTarget& target_;
  const QueryRequest& request_;
  absl::Duration begin_;
  bool admitted_ = false;
};

// Reports a call that ended before it had a target. `principal` is nullptr if the token was rejected.
void TellRejected(ServiceObserver* observer, const Principal* principal, std::string_view endpoint,
                  absl::StatusCode code);

void TellCache(ServiceObserver* observer, CacheEvent::Kind kind, const BoundCall& call, absl::Duration age);

// One run in the engine.
class ObservedQuery {
 public:
  // Reports the start of the run. Everything is borrowed, including `variant`.
  ObservedQuery(ServiceObserver* observer, const BoundCall& call, std::string_view variant, absl::Duration slow);

  uint64_t id() const { return id_; }
  // `answer` has the times and rows as far as they are known.
  void End(const absl::Status& status, const QueryAnswer& answer) const;
  // Reports that the run ended because the engine failed, and that another one follows.
  void TellEngineFailure(const absl::Status& status) const;

 private:
  QueryEvent Event() const;

  ServiceObserver* const observer_;
  const BoundCall& call_;
  const std::string_view variant_;
  const absl::Duration slow_;
  const uint64_t id_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_OBSERVED_H_
