// BigQuery's REST interface, one request at a time: with a token, and sent again where it failed for a moment.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_SERVICE_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_SERVICE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "lib/backend/bigquery/access_tokens.h"
#include "lib/backend/bigquery/errors.h"
#include "lib/backend/bigquery/service_account.h"
#include "lib/backend/http/client.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/cancellation.h"

namespace logquery::bigquery {

// A request that has the same effect however often it is sent: jobs.query has a requestId.
struct ApiCall {
  std::string method = "GET";
  std::string path;  // after /bigquery/v2/projects/: "my-project/queries", with its query string
  std::string body = {};
  absl::Duration patience = absl::Minutes(1);  // without a byte from the service
  std::string traceparent = {};                // W3C Trace Context; empty: none
};

struct ApiReply {
  absl::Status status;  // what a caller may be told; OK: `body` is the answer of a 200
  std::string body;
  ServiceError error;          // where the service has told one; http is 0 otherwise
  std::string words;           // for operators
  bool is_refused = false;     // the account's token is not given or not taken
  bool is_tls = false;         // a certificate is not trusted
  bool may_have_come = false;  // the service may have got the request
  absl::Duration retry_after;  // that the service asks for
};

// Thread-safe.
class Service {
 public:
  // The options have been checked.
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

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_SERVICE_H_
