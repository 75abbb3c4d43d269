// BigQuery's REST interface: sends one request at a time, with a token, and retries temporary failures.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "lib/backend/http/client.h"
#include "lib/engines/bigquery/backend/access_tokens.h"
#include "lib/engines/bigquery/backend/errors.h"
#include "lib/engines/bigquery/backend/service_account.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/cancellation.h"

namespace logquery::bigquery {

// A request that may be sent repeatedly with the same effect; jobs.query has a requestId for that.
struct ApiCall {
  std::string method = "GET";
  std::string path;  // follows /bigquery/v2/projects/: "my-project/queries", with its query string
  std::string body = {};
  absl::Duration patience = absl::Minutes(1);  // the longest wait for the next byte from the service
  std::string traceparent = {};                // W3C Trace Context; empty: none
};

struct ApiReply {
  absl::Status status;  // may be shown to callers; OK: `body` is the body of a 200 response
  std::string body;
  ServiceError error;          // set if the service returned an error; otherwise its http is 0
  std::string words;           // for operators
  bool is_refused = false;     // no token for the account, or the token was rejected
  bool is_tls = false;         // a certificate is not trusted
  bool may_have_come = false;  // the service may have received the request
  absl::Duration retry_after;  // requested by the service
};

// Thread-safe.
class Service {
 public:
  // The options must be valid.
  Service(const BigQueryOptions& options, std::optional<ServiceAccount> account);

  ApiReply Send(const ApiCall& call, const CancellationToken& cancellation);

 private:
  ApiReply SendOnce(const ApiCall& call, const CancellationToken& cancellation, std::string* token);

  const BigQueryOptions options_;
  http::Client client_;
  http::Client token_client_;
  AccessTokens tokens_;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_H_
