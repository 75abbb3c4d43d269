// The endpoint behind `logquery query`: callers' SQL over every log of a catalog, for the owner of the rows. It is made for one
// call and never part of a registry that tokens can reach.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_ALL_LOGS_ENDPOINT_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_ALL_LOGS_ENDPOINT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct AllLogsOptions {
  QueryLanguage language = QueryLanguage::kBigQuery;
  int64_t max_rows = 1000;  // at least 1
  // Only in ClickHouse's SQL, whose table `logs` has the rows of all logs: it has those of the parameter `project` alone. A
  // principal's project_scope would be refused there as soon as one log has no project.
  bool of_project = false;
};

// Returns the definition. In the BigQuery dialect each log is a table by its name (log_entry_names.h).
// NotFound: the catalog has no tables.
absl::StatusOr<Endpoint> MakeAllLogsEndpoint(const Catalog& catalog, const AllLogsOptions& options);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_ALL_LOGS_ENDPOINT_H_
