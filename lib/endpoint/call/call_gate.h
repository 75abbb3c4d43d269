// Enforces the limits of endpoints and tokens on concurrent calls and calls per minute.
//
//     CallGate gate(clock);
//     LOGQUERY_ASSIGN_OR_RETURN(CallGate::Pass pass, gate.Enter({{"e:…", "the endpoint logs.all", limits}}));
//     …                                          // the call is counted while `pass` lives
//
// A rate of n per minute admits a burst of n calls, and then one call per 1/n minute. A rejected call is not counted.
// Thread-safe; memory is bounded.
// nowhere. Thread-safe; its memory is bounded.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CALL_GATE_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CALL_GATE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/call_limits.h"
#include "logquery/clock.h"

namespace logquery::endpoint {

class CallGate {
 public:
  // An endpoint or a token whose limits apply to a call.
  struct Subject {
    std::string key;   // identifies the subject
    std::string name;  // for messages: "this token"
    CallLimits limits;
  };

  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)), keys_(std::move(other.keys_)) {}
    Pass& operator=(Pass&& other) noexcept;
    ~Pass() { Leave(); }

   private:
    friend class CallGate;
    void Leave();
    CallGate* gate_ = nullptr;
    std::vector<std::string> keys_;
  };

  // The clock is borrowed.
  explicit CallGate(const Clock* clock) : clock_(clock) {}

  // Returns a pass, which the gate must outlive. ResourceExhausted, with ErrorDetails::retry_after: too many calls of a
  // subject.
  absl::StatusOr<Pass> Enter(const std::vector<Subject>& subjects);

 private:
  struct Count {
    int64_t running = 0;
    absl::Duration until;  // when the rate will have admitted all calls so far
  };

  absl::Status Check(const Subject& subject, absl::Duration now) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(absl::Duration now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Leave(const std::vector<std::string>& keys);

  const Clock* const clock_;
  mutable absl::Mutex mutex_;
  base::StringMap<Count> counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CALL_GATE_H_
