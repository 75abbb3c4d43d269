// One-time codes that stand for a token, so that a link can open the console without a token in its URL. Each code is
// valid once, for one minute.
//
//     absl::StatusOr<std::string> code = codes.Make(token);     // for the token's holder
//     absl::StatusOr<std::string> token = codes.Take(*code);    // for the code's holder; again: Unauthenticated
//
// Thread-safe. Its memory is bounded.
#ifndef LOGQUERY_LIB_BASE_SIGN_IN_CODES_H_
#define LOGQUERY_LIB_BASE_SIGN_IN_CODES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::base {

// Returns the code in the JSON text {"code":"…"} that a client sends. InvalidArgument: it is not of this form.
absl::StatusOr<std::string> SignInCodeIn(std::string_view json);

class SignInCodes {
 public:
  static constexpr absl::Duration kLifetime = absl::Seconds(60);
  static constexpr size_t kMaxCodes = 1'000;
  static constexpr size_t kMaxCodesOfToken = 20;  // beyond, a token's oldest code becomes invalid

  // The clock is borrowed.
  explicit SignInCodes(const Clock* clock) : clock_(clock) {}

  // Returns a new code of 256 random bits for `token`. ResourceExhausted: kMaxCodes codes are unused.
  absl::StatusOr<std::string> Make(std::string token);
  // Returns the code's token and invalidates the code. Unauthenticated: the code is unknown, used or expired.
  absl::StatusOr<std::string> Take(std::string_view code);

 private:
  struct Entry {
    std::string token;
    absl::Duration until;
  };

  void DropOld() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Removes a code of the token if it has too many, to make room for one more.
  void DropOldest(std::string_view token) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* clock_;
  absl::Mutex mutex_;
  // By the code's digest, so that lookup times reveal nothing about the codes.
  StringMap<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_SIGN_IN_CODES_H_
