// Converts BigQuery's errors to the statuses of query_backend.h.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ERRORS_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ERRORS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::bigquery {

// An error response, in the form {"error": {"code": 404, "message": …, "errors": [{"reason": "notFound"}]}}.
struct ServiceError {
  int http = 0;
  std::string reason;  // listed on BigQuery's page "Error messages"; empty: the response has none
  std::string words;   // the service's message, shortened to one line; for the log
};

ServiceError ReadError(int http, std::string_view body);

// Returns whether the same request may succeed later.
bool IsTransient(const ServiceError& error);

//   DeadlineExceeded    the job has reached its time limit
//   ResourceExhausted   bytes billed, memory, or a result that is too large
//   Unavailable         too many requests, a quota, an internal error of the service, or the job was stopped by someone
//                       else
//   Internal            anything else; the message has the service's message. Marked as the engine's failure
//                       (lib/base/engine_failure.h) if it is about what the statement computes
absl::Status StatusOf(const ServiceError& error);

// The status if the service can't be reached, or the connection is lost.
absl::Status LostConnection();

// Shortens text to at most 500 bytes of UTF-8, without control characters.
std::string ShortWords(std::string_view text);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_ERRORS_H_
