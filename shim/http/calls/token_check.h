// Finds whom a request's token stands for, and slows down clients that guess tokens.
//
// Thread-safe. Everything that the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_TOKEN_CHECK_H_
#define LOGQUERY_SHIM_HTTP_CALLS_TOKEN_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/attempt_limiter.h"
#include "logquery/http_server.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Returns a request's token, from X-API-KEY or Authorization: Bearer; empty: none. InvalidArgument: two different
// tokens.
absl::StatusOr<std::string> TokenOf(const HttpRequest& request);

class TokenCheck {
 public:
  explicit TokenCheck(const HttpServerOptions& options)
      : service_(options.service), trust_forwarded_for_(options.trust_forwarded_for), attempts_(options.clock) {}

  // Returns whom the request's token stands for. The first call looks it up.
  const absl::StatusOr<Principal>& Authenticate(Exchange& exchange) const;
  // Counts a failed attempt. Returns `failure`, or, after too many, that the client's address must wait.
  absl::Status AfterFailure(const HttpRequest& request, absl::Status failure);

 private:
  QueryService* const service_;
  const bool trust_forwarded_for_;
  base::AttemptLimiter attempts_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_TOKEN_CHECK_H_
