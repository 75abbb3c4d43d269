// What DuckDB says went wrong, as the statuses that query_backend.h promises.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ERRORS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"

namespace logquery::duckdb {

// `message` is DuckDB's whole text, "Conversion Error: Could not convert …": its first words tell the kind, also where the
// C API gives no error type (when it prepares).
//   InvalidArgument     what only rows can show; the message is fit for a caller, without DuckDB's kind and excerpt
//   ResourceExhausted   memory, or disk to spill to; ErrorDetails.reason is "resourcesExceeded"
//   Cancelled           interrupted; whoever interrupted knows better why
//   Unavailable         the database has shut itself down after a fatal error
//   Internal            anything else, with DuckDB's whole text
absl::Status ErrorFromDuckDb(std::string_view message);

// `status` with ErrorDetails.reason "resourcesExceeded".
absl::Status ResourcesExceeded(absl::Status status);

// Whether `status`, made here, may come from a database that has shut itself down.
bool MayHaveStopped(const absl::Status& status);

// Whether DuckDB's text says that the disk is full.
bool IsDiskFull(std::string_view message);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ERRORS_H_
