// Opens logs that stand in PostgreSQL by what a backend file says of them.
#include "shim/cli/serve/compose_postgres.h"

#include <any>
#include <utility>

#include "lib/backend/postgres/options_json.h"
#include "lib/base/status_macros.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::shim {

void ReadPostgresSettings(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments) {
  PostgresOptions options = postgres::ReadOptions(fields, folder);
  // Of the process's memory, the watch over all of it is told the part that DuckDB may have.
  arguments.memory_limit_mb = options.memory_limit_bytes / 1'000'000;
  arguments.engine_threads = options.threads;
  arguments.engine_settings = std::move(options);
}

absl::StatusOr<OpenedEngine> OpenPostgresEngine(const ServiceArguments& arguments, bool /*read_only*/) {
  const auto* const options = std::any_cast<PostgresOptions>(&arguments.engine_settings);
  if (options == nullptr) return absl::InvalidArgumentError("PostgreSQL is described by a file: --backend FILE");
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<RemoteBackend> backend, OpenPostgres(*options));
  return RemoteEngine(std::move(backend));
}

}  // namespace logquery::shim
