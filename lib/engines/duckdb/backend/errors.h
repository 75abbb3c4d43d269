// Converts DuckDB's errors to the statuses of query_backend.h.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERRORS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"

namespace logquery::duckdb {

// `message` is DuckDB's complete text, "Conversion Error: Could not convert …". Its first words identify the kind, also
// where the C API provides no error type (when it prepares a statement).
//   InvalidArgument     an error while evaluating rows; the message is for callers, without DuckDB's kind and excerpt
//   ResourceExhausted   memory, or disk space for spilling; ErrorDetails.reason is kResourcesExceeded
//   Cancelled           interrupted; the code that interrupted it knows the reason
//   Unavailable         the database has shut down after a fatal error
//   Internal            anything else, with DuckDB's complete text
absl::Status ErrorFromDuckDb(std::string_view message);

// Returns `status` with ErrorDetails.reason kResourcesExceeded.
absl::Status ResourcesExceeded(absl::Status status);

// Returns whether `status`, created here, may mean that the database has shut down.
bool MayHaveStopped(const absl::Status& status);

// Returns whether DuckDB's text reports a full disk.
bool IsDiskFull(std::string_view message);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERRORS_H_
