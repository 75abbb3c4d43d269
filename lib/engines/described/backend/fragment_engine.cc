// Makes a dialect of the spellings, and combines the engine with DuckDB.
#include "logquery/experimental/fragment_engine.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/engines/described/backend/engine_source.h"
#include "lib/engines/described/dialect/described_dialect.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"

namespace logquery {

absl::StatusOr<std::unique_ptr<RemoteBackend>> CreateFragmentEngineBackend(const EngineSpellings& spellings,
                                                                           std::shared_ptr<FragmentEngine> engine,
                                                                           const FragmentEngineOptions& options) {
  if (engine == nullptr) return absl::InvalidArgumentError("a backend over an engine needs an engine, not nullptr");
  if (options.max_statement_rows < 1 || options.max_statement_bytes < 1 || options.max_connections < 1) {
    return absl::InvalidArgumentError(
        "the options max_statement_rows, max_statement_bytes and max_connections have to be at least 1");
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<emit::SqlDialect> dialect, emit::MakeDescribedDialect(spellings));
  SourceBackendOptions finisher;
  finisher.memory_limit_bytes = options.memory_limit_bytes;
  finisher.threads = options.threads;
  finisher.max_connections = options.max_connections;
  finisher.max_scan_rows = options.max_statement_rows;
  finisher.max_scan_bytes = options.max_statement_bytes;
  return duckdb::OpenOverFragments(
      std::make_shared<experimental::EngineSource>(spellings.engine, std::move(dialect), std::move(engine)), finisher);
}

}  // namespace logquery
