// Makes calls to an unreachable engine fail at once. After several consecutive failures the breaker opens; then it
// admits single calls from time to time, until one succeeds.
//
//     absl::StatusOr<CircuitBreaker::Call> call = breaker.Admit();
//     if (!call.ok()) return call.status();
//     return call->End(source.Run(…));
#ifndef LOGQUERY_LIB_BACKEND_CIRCUIT_BREAKER_H_
#define LOGQUERY_LIB_BACKEND_CIRCUIT_BREAKER_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/error.h"

namespace logquery::backend {

struct CircuitBreakerOptions {
  int failures = 5;                              // consecutive failures that open it
  absl::Duration first_wait = absl::Seconds(1);  // until it admits a call; each failure doubles the wait
  absl::Duration longest_wait = absl::Seconds(30);
};

// ErrorDetails::reason of a call that got no turn because of other calls, or that someone stopped in the engine. It
// shows that the engine is reachable.
inline constexpr ErrorReason kBusyReason = ErrorReason::kRateLimitExceeded;

// Returns Unavailable with that reason.
absl::Status Busy(std::string_view message);

// Thread-safe.
class CircuitBreaker {
 public:
  enum class State { kClosed, kOpen, kHalfOpen };

  // An admitted call. If it is destroyed without End, for example by an exception, it has no effect on the breaker.
  class Call {
   public:
    Call(Call&& other) noexcept : breaker_(std::exchange(other.breaker_, nullptr)), is_probe_(other.is_probe_) {}
    Call& operator=(Call&&) = delete;
    ~Call() {
      if (breaker_ != nullptr) breaker_->Forget(is_probe_);
    }
    // Reports that the engine has begun to answer, so that callers need not wait for the end of a probe's result.
    void NoteAnswer();
    // Records the call's status and returns it. Unavailable counts as a failure, except with kBusyReason; Cancelled
    // counts as neither.
    absl::Status End(absl::Status status);

   private:
    friend class CircuitBreaker;
    Call(CircuitBreaker* breaker, bool is_probe) : breaker_(breaker), is_probe_(is_probe) {}
    CircuitBreaker* breaker_;
    bool is_probe_;
  };

  // `engine` is used in messages: "BigQuery". Borrows the clock.
  CircuitBreaker(std::string engine, const Clock* clock, CircuitBreakerOptions options = {})
      : engine_(std::move(engine)), clock_(clock), options_(options) {}

  // Unavailable, with ErrorDetails::retry_after: the breaker is open.
  absl::StatusOr<Call> Admit();
  State state() const;

 private:
  void Succeed();
  void Fail(bool is_probe);
  void Forget(bool is_probe);

  const std::string engine_;
  const Clock* const clock_;
  const CircuitBreakerOptions options_;
  mutable absl::Mutex mutex_;
  int failures_ ABSL_GUARDED_BY(mutex_) = 0;  // consecutive
  bool is_probing_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration wait_ ABSL_GUARDED_BY(mutex_);
  absl::Duration open_until_ ABSL_GUARDED_BY(mutex_);  // by Clock::Monotonic
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_CIRCUIT_BREAKER_H_
