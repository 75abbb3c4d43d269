// What BigQuery says went wrong, as the statuses that query_backend.h promises.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_ERRORS_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_ERRORS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::bigquery {

// An answer that is no 200, in the form {"error": {"code": 404, "message": …, "errors": [{"reason": "notFound"}]}}.
struct ServiceError {
  int http = 0;
  std::string reason;  // of BigQuery's page "Error messages"; empty: the answer has none
  std::string words;   // the service's, short and in one line: for the log
};

ServiceError ReadError(int http, std::string_view body);

// Whether the same request may do better in a moment.
bool IsTransient(const ServiceError& error);

//   DeadlineExceeded    the job has reached its time limit
//   ResourceExhausted   bytes billed, memory, an answer that is too large
//   Unavailable         too many requests, a quota, an error of the service's own, or somebody has stopped the job
//   Internal            anything else; the message has the service's words
absl::Status StatusOf(const ServiceError& error);

// It can't be reached, or the connection is gone.
absl::Status LostConnection();

// At most 500 bytes of UTF-8, without control characters.
std::string ShortWords(std::string_view text);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_ERRORS_H_
