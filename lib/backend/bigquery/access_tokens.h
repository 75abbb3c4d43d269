// Tokens that requests to BigQuery carry: asked for with a service account's key or from the machine's metadata server, kept, and
// asked for again before they expire.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_ACCESS_TOKENS_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_ACCESS_TOKENS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/bigquery/service_account.h"
#include "lib/backend/http/client.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"

namespace logquery::bigquery {

// Thread-safe: one request for a token is under way at a time, and who needs one waits for it.
class AccessTokens {
 public:
  // Without an account it asks the metadata server at that URL. Borrows the client and the clock.
  AccessTokens(std::optional<ServiceAccount> account, std::string metadata_url, http::Client* client,
               const Clock* clock)
      : account_(std::move(account)), metadata_url_(std::move(metadata_url)), client_(client), clock_(clock) {}

  // A token that holds for a while yet. Messages are for operators, without the key or a token.
  //   FailedPrecondition  the account is refused
  //   Unavailable         who gives tokens can't be reached, or gives none
  //   Cancelled
  absl::StatusOr<std::string> Get(const CancellationToken& cancellation);
  // BigQuery has refused the token: the next call of Get asks for another.
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

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_ACCESS_TOKENS_H_
