// Stays open from the failure that reached the limit until a call succeeds; only the wait for the next attempt expires.
#include "lib/backend/circuit_breaker.h"

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery::backend {

absl::Status Busy(std::string_view message) {
  ErrorDetails details;
  details.reason = kBusyReason;
  return WithErrorDetails(absl::UnavailableError(base::ToAbsl(message)), details);
}

absl::StatusOr<CircuitBreaker::Call> CircuitBreaker::Admit() {
  absl::MutexLock lock(&mutex_);
  if (failures_ < options_.failures) return Call(this, false);
  const absl::Duration left = open_until_ - clock_->Monotonic();
  if (left <= absl::ZeroDuration() && !is_probing_) {
    is_probing_ = true;
    return Call(this, true);
  }
  ErrorDetails details;
  details.retry_after = std::max(left, options_.first_wait);
  return WithErrorDetails(
      absl::UnavailableError(base::StrCat(engine_, " could not be reached just now; try again in a moment")), details);
}

CircuitBreaker::State CircuitBreaker::state() const {
  absl::MutexLock lock(&mutex_);
  if (failures_ < options_.failures) return State::kClosed;
  return is_probing_ || clock_->Monotonic() >= open_until_ ? State::kHalfOpen : State::kOpen;
}

void CircuitBreaker::Succeed() {
  absl::MutexLock lock(&mutex_);
  failures_ = 0;
  is_probing_ = false;
}

void CircuitBreaker::Fail(bool is_probe) {
  absl::MutexLock lock(&mutex_);
  if (is_probe) {
    is_probing_ = false;
    wait_ = std::min(wait_ * 2, options_.longest_wait);
  } else if (++failures_ == options_.failures) {
    wait_ = options_.first_wait;
  } else {
    // One that was let through before, and fails while it is open, does not make the wait longer.
    failures_ = std::min(failures_, options_.failures);
    return;
  }
  open_until_ = clock_->Monotonic() + wait_;
}

void CircuitBreaker::Forget(bool is_probe) {
  absl::MutexLock lock(&mutex_);
  if (is_probe) is_probing_ = false;
}

void CircuitBreaker::Call::NoteAnswer() {
  if (breaker_ == nullptr || !is_probe_) return;
  breaker_->Succeed();
  is_probe_ = false;
}

absl::Status CircuitBreaker::Call::End(absl::Status status) {
  CircuitBreaker* const breaker = std::exchange(breaker_, nullptr);
  if (breaker == nullptr) return status;
  if (absl::IsCancelled(status)) {
    breaker->Forget(is_probe_);
  } else if (absl::IsUnavailable(status) && GetErrorDetails(status).reason != kBusyReason) {
    breaker->Fail(is_probe_);
  } else {
    breaker->Succeed();
  }
  return status;
}

}  // namespace logquery::backend
