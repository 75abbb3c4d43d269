// The engine DuckDB over a data folder, as the table of engines (engine.h) wants it.
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_DUCKDB_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_DUCKDB_H_

#include <string>

#include "absl/status/statusor.h"
#include "shim/cli/serve/engine.h"

namespace logquery::shim {

// "folder", required, "memory_limit_mb" and "threads", with the meaning of --data, --memory-limit and --engine-threads.
void ReadDuckDbSettings(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments);

// OpenDuckDb's statuses. Unless `read_only`, this process owns the folder, takes logs in and keeps it in order.
absl::StatusOr<OpenedEngine> OpenDuckDbEngine(const ServiceArguments& arguments, bool read_only);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_DUCKDB_H_
