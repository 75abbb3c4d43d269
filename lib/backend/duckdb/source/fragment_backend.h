// A backend over an engine elsewhere: it runs the fragments of a query, and DuckDB, in memory, the rest.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_FRAGMENT_BACKEND_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_FRAGMENT_BACKEND_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lib/backend/fragment_source.h"
#include "logquery/clock.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/remote_backend.h"

namespace logquery::duckdb {

// Thread-safe. Bounds of the options are those of each fragment: beyond them ResourceExhausted, which says what kept the
// work from being done there. While the engine can't be reached, calls get Unavailable at once, with when to try again
// (lib/backend/circuit_breaker.h); borrows the clock. InvalidArgument: `source` is nullptr. Otherwise what ReadCatalog returned.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenOverFragments(std::shared_ptr<FragmentSource> source,
                                                                 const SourceBackendOptions& options,
                                                                 const Clock* clock = Clock::Real());

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_FRAGMENT_BACKEND_H_
