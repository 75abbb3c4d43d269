// The engine ClickHouse, as the table of engines (engine.h) wants it.
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_CLICKHOUSE_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_CLICKHOUSE_H_

#include <string>

#include "absl/status/statusor.h"
#include "shim/cli/serve/engine.h"

namespace logquery::shim {

// The fields that ClickHouseOptionsFromJson describes.
void ReadClickHouseSettings(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments);

// OpenClickHouse's statuses. The server keeps its tables itself: there is no upkeep, and no action on a folder.
absl::StatusOr<OpenedEngine> OpenClickHouseEngine(const ServiceArguments& arguments, bool read_only);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_CLICKHOUSE_H_
