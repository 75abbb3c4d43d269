// Slows down who guesses tokens: failed attempts by address, a few at once and then one every few seconds.
//
// Thread-safe. Its memory is bounded, however many addresses there are.
#ifndef LOGQUERY_SHIM_HTTP_ATTEMPT_LIMITER_H_
#define LOGQUERY_SHIM_HTTP_ATTEMPT_LIMITER_H_

#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::shim {

class AttemptLimiter {
 public:
  static constexpr int kAtOnce = 10;
  static constexpr absl::Duration kOneEvery = absl::Seconds(6);

  // The clock is borrowed.
  explicit AttemptLimiter(const Clock* clock) : clock_(clock) {}

  // Zero: the address may try. Otherwise how long it has to wait.
  absl::Duration Wait(std::string_view address) const;
  void AddFailure(std::string_view address);

 private:
  void Forget(absl::Duration now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* clock_;
  mutable absl::Mutex mutex_;
  // When the address's last failure will have been worked off.
  base::StringMap<absl::Duration> until_ ABSL_GUARDED_BY(mutex_);
};

// One client's addresses as one: of IPv6 the network of 64 bits, which is what a single client is given.
std::string AddressGroup(std::string_view address);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ATTEMPT_LIMITER_H_
