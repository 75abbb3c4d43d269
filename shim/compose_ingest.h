// Takes logs in from HTTP requests into a data folder of DuckDB's.
#ifndef LOGQUERY_SHIM_COMPOSE_INGEST_H_
#define LOGQUERY_SHIM_COMPOSE_INGEST_H_

#include <memory>

#include "absl/status/statusor.h"
#include "shim/command/ingest.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::shim {

// `backend` is borrowed. `max_bytes`: of bodies on their way in. `max_requests`: requests under way at one time. What QueryBackend::ReadCatalog returns.
absl::StatusOr<std::unique_ptr<LogIngest>> MakeIngest(DuckDbBackend& backend, int64_t max_bytes, int64_t max_requests);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMPOSE_INGEST_H_
