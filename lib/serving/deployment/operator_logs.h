// The logs of a data folder that its operator has declared, in this or an earlier schema file.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_OPERATOR_LOGS_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_OPERATOR_LOGS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::serving {

// Returns neither the built-in logs nor those that sources made: their names are shown to the projects that write to them alone.
// Statuses: those of QueryBackend::ReadCatalog and DuckDbBackend::ReadSources.
absl::StatusOr<std::vector<Table>> OperatorLogs(DuckDbBackend& store);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_OPERATOR_LOGS_H_
