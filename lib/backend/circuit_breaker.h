// Keeps calls from an engine that can't be reached, so that they fail at once: after several failures in a row it is open, and lets a
// single call through now and then, until one succeeds.
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

namespace logquery::backend {

struct CircuitBreakerOptions {
  int failures = 5;                              // in a row: then it opens
  absl::Duration first_wait = absl::Seconds(1);  // until a call is let through; each failed one doubles it
  absl::Duration longest_wait = absl::Seconds(30);
};

// What a status says of the engine: ErrorDetails::reason of a call that had no turn because of others that run, or that was ended
// by somebody else there. The engine is there.
inline constexpr char kBusyReason[] = "rateLimitExceeded";

// Unavailable for that reason.
absl::Status Busy(std::string_view message);

// Thread-safe.
class CircuitBreaker {
 public:
  enum class State { kClosed, kOpen, kHalfOpen };

  // A call that was let through. Not ended, as where it throws, it counts for nothing.
  class Call {
   public:
    Call(Call&& other) noexcept : breaker_(std::exchange(other.breaker_, nullptr)), is_probe_(other.is_probe_) {}
    Call& operator=(Call&&) = delete;
    ~Call() {
      if (breaker_ != nullptr) breaker_->Forget(is_probe_);
    }
    // The engine has begun to answer: who waits for a probe needs not wait for its last row.
    void NoteAnswer();
    // Counts what came of it, and hands it on. Unavailable is a failure, unless for kBusyReason; Cancelled says nothing of the engine.
    absl::Status End(absl::Status status);

   private:
    friend class CircuitBreaker;
    Call(CircuitBreaker* breaker, bool is_probe) : breaker_(breaker), is_probe_(is_probe) {}
    CircuitBreaker* breaker_;
    bool is_probe_;
  };

  // `engine` stands in messages: "BigQuery". Borrows the clock.
  CircuitBreaker(std::string engine, const Clock* clock, CircuitBreakerOptions options = {})
      : engine_(std::move(engine)), clock_(clock), options_(options) {}

  // Unavailable with ErrorDetails::retry_after: it is open.
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
  int failures_ ABSL_GUARDED_BY(mutex_) = 0;  // in a row
  bool is_probing_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration wait_ ABSL_GUARDED_BY(mutex_);
  absl::Duration open_until_ ABSL_GUARDED_BY(mutex_);  // by Clock::Monotonic
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_CIRCUIT_BREAKER_H_
