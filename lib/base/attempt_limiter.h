// Slows down guessing of tokens: limits failed attempts per address to a small burst, and then one every few seconds.
//
// Thread-safe. Its memory is bounded for any number of addresses.
#ifndef LOGQUERY_LIB_BASE_ATTEMPT_LIMITER_H_
#define LOGQUERY_LIB_BASE_ATTEMPT_LIMITER_H_

#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::base {

class AttemptLimiter {
 public:
  static constexpr int kAtOnce = 10;
  static constexpr absl::Duration kOneEvery = absl::Seconds(6);

  // The clock is borrowed.
  explicit AttemptLimiter(const Clock* clock) : clock_(clock) {}

  // Returns zero if the address may try now, otherwise how long it must wait.
  absl::Duration Wait(std::string_view address) const;
  void AddFailure(std::string_view address);

 private:
  void Forget(absl::Duration now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* clock_;
  mutable absl::Mutex mutex_;
  // When the rate will have absorbed the address's last failure.
  StringMap<absl::Duration> until_ ABSL_GUARDED_BY(mutex_);
};

// Maps one client's addresses to one key: for IPv6 the /64 network, which a single client gets.
std::string AddressGroup(std::string_view address);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ATTEMPT_LIMITER_H_
