// Access tokens for requests to BigQuery, obtained with a service account's key or from the machine's metadata server.
// Tokens are cached and renewed before they expire.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ACCESS_TOKENS_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ACCESS_TOKENS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/http/client.h"
#include "lib/engines/bigquery/backend/service_account.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"

namespace logquery::bigquery {

// Thread-safe. Only one token request runs at a time; callers that need a token wait for it.
class AccessTokens {
 public:
  // Without an account, requests tokens from the metadata server at that URL. Borrows the client and the clock.
  AccessTokens(std::optional<ServiceAccount> account, std::string metadata_url, http::Client* client,
               const Clock* clock)
      : account_(std::move(account)), metadata_url_(std::move(metadata_url)), client_(client), clock_(clock) {}

  // Returns a token that is valid for some time. Messages are for operators and contain neither the key nor a token.
  //   FailedPrecondition  the account is rejected
  //   Unavailable         the token server can't be reached, or issues no token
  //   Cancelled
  absl::StatusOr<std::string> Get(const CancellationToken& cancellation);
  // Called when BigQuery has rejected the token: the next call of Get requests a new one.
  void Forget(std::string_view token);

 private:
  struct Token {
    std::string text;
    absl::Duration renew_at;  // by Clock::Monotonic
    absl::Duration expires_at;
  };

  absl::StatusOr<Token> Fetch(const CancellationToken& cancellation);
  absl::StatusOr<http::Request> RequestForToken() const;
  bool IsIdle() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !is_fetching_; }

  const std::optional<ServiceAccount> account_;
  const std::string metadata_url_;
  http::Client* const client_;
  const Clock* const clock_;
  absl::Mutex mutex_;
  bool is_fetching_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<Token> token_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ACCESS_TOKENS_H_
