// The engine BigQuery, as the table of engines (engine.h) wants it.
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_BIGQUERY_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_BIGQUERY_H_

#include <string>

#include "absl/status/statusor.h"
#include "shim/cli/serve/engine.h"

namespace logquery::shim {

// The fields that BigQueryOptionsFromJson describes.
void ReadBigQuerySettings(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments);

// OpenBigQuery's statuses. The server keeps its tables itself: there is no upkeep, and no action on a folder.
absl::StatusOr<OpenedEngine> OpenBigQueryEngine(const ServiceArguments& arguments, bool read_only);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_BIGQUERY_H_
