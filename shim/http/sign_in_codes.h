// Codes that stand for a token for a short time, so that a link can open the console without a token in its URL: each is good
// once, within a minute.
//
//     absl::StatusOr<std::string> code = codes.Make(token);     // for who has the token
//     absl::StatusOr<std::string> token = codes.Take(*code);    // for who has the code; a second time: Unauthenticated
//
// Thread-safe. Its memory is bounded.
#ifndef LOGQUERY_SHIM_HTTP_SIGN_IN_CODES_H_
#define LOGQUERY_SHIM_HTTP_SIGN_IN_CODES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::shim {

class SignInCodes {
 public:
  static constexpr absl::Duration kLifetime = absl::Seconds(60);
  static constexpr size_t kMaxCodes = 1'000;
  static constexpr size_t kMaxCodesOfToken = 20;  // of the older ones the oldest is good no more

  // The clock is borrowed.
  explicit SignInCodes(const Clock* clock) : clock_(clock) {}

  // A new code of 256 random bits for `token`. ResourceExhausted: kMaxCodes codes wait to be used.
  absl::StatusOr<std::string> Make(std::string token);
  // The token that the code stands for; the code is then used up. Unauthenticated: the code is unknown, used or too old.
  absl::StatusOr<std::string> Take(std::string_view code);

 private:
  struct Entry {
    std::string token;
    absl::Duration until;
  };

  void DropOld() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of the token's codes, so that one more has a place.
  void DropOldest(std::string_view token) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* clock_;
  absl::Mutex mutex_;
  // By the code's digest, so that the time of a look-up tells nothing about the codes.
  base::StringMap<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_SIGN_IN_CODES_H_
