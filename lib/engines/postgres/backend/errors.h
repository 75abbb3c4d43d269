// Converts PostgreSQL's errors to the statuses of query_backend.h.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_ERRORS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"

namespace logquery::postgres {

// `sqlstate` is the five-character error code. `words` is the server's message; it is used only in Internal, whose
// message is for the log.
//   DeadlineExceeded    statement_timeout
//   ResourceExhausted   the server's memory or disk
//   Unavailable         it is shutting down or starting, or accepts no more connections
//   Internal            anything else; marked as the engine's failure (lib/base/engine_failure.h) if it is about what
//                       the statement computes
absl::Status ErrorFromPostgres(std::string_view sqlstate, std::string_view words);

// The status if the connection is lost, or the server does not respond.
absl::Status LostConnection();

// Returns whether a prepared statement must be prepared again: its table has changed, or the server has forgotten it.
bool IsStaleStatement(std::string_view sqlstate);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_ERRORS_H_
