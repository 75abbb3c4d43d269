// The engine DuckDB over a data folder, as the table of engines (engine.h) wants it.
#ifndef LOGQUERY_SHIM_COMPOSE_DUCKDB_H_
#define LOGQUERY_SHIM_COMPOSE_DUCKDB_H_

#include <string>

#include "absl/status/statusor.h"
#include "shim/engine.h"

namespace logquery::shim {

// The bounds of the settings, as options and in a backend file.
inline constexpr base::JsonFields::Range kMemoryLimitMb = {64, 1 << 24};
inline constexpr base::JsonFields::Range kEngineThreads = {0, 1'024};

// "folder", required, "memory_limit_mb" and "threads", with the meaning of --data, --memory-limit and --engine-threads.
inline void ReadDuckDbSettings(base::JsonFields& fields, ServiceArguments& arguments) {
  arguments.data = fields.Text("folder");
  if (fields.ok() && arguments.data.empty()) fields.Fail("folder", "must not be empty: it names the data folder");
  arguments.memory_limit_mb = fields.Integer("memory_limit_mb", kMemoryLimitMb, arguments.memory_limit_mb);
  arguments.engine_threads = static_cast<int>(fields.Integer("threads", kEngineThreads, arguments.engine_threads));
}

// OpenDuckDb's statuses. Unless `read_only`, this process owns the folder, takes logs in and keeps it in order.
absl::StatusOr<OpenedEngine> OpenDuckDbEngine(const ServiceArguments& arguments, bool read_only);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMPOSE_DUCKDB_H_
