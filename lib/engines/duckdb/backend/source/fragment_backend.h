// A backend for a remote engine, which runs the fragments of a query; DuckDB, in memory, runs the rest.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_FRAGMENT_BACKEND_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_FRAGMENT_BACKEND_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lib/backend/fragment_source.h"
#include "logquery/clock.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/remote_backend.h"

namespace logquery::duckdb {

// Thread-safe. The limits in the options apply to each fragment: beyond them it returns ResourceExhausted, and the
// message says what kept the work from being done remotely. While the engine can't be reached, calls get Unavailable at
// once, with a time to retry (lib/backend/circuit_breaker.h). Borrows the clock. InvalidArgument: `source` is nullptr.
// Errors of ReadCatalog are passed on.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenOverFragments(std::shared_ptr<FragmentSource> source,
                                                                 const SourceBackendOptions& options,
                                                                 const Clock* clock = Clock::Real());

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_FRAGMENT_BACKEND_H_
