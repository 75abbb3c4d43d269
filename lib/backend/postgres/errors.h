// What PostgreSQL says went wrong, as the statuses that query_backend.h promises.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_ERRORS_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"

namespace logquery::postgres {

// `sqlstate` is the error's five characters, `words` the server's text, which goes into Internal alone: that is for the log.
//   DeadlineExceeded    statement_timeout
//   ResourceExhausted   the server's memory or disk
//   Unavailable         it shuts down, starts, or takes no more connections
//   Internal            anything else
absl::Status ErrorFromPostgres(std::string_view sqlstate, std::string_view words);

// The connection is gone, or the server does not answer.
absl::Status LostConnection();

// Whether a statement that was prepared before has to be prepared again: its table has changed, or the server forgot it.
bool IsStaleStatement(std::string_view sqlstate);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_ERRORS_H_
