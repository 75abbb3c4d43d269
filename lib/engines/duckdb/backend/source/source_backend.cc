// Implements source_backend.h: an in-memory engine whose tables are scans of a program's sources.
#include "logquery/duckdb/source_backend.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/deadlines.h"
#include "lib/engines/duckdb/backend/execution.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/engines/duckdb/backend/source/source_function.h"
#include "lib/engines/duckdb/backend/source/source_tables.h"

namespace logquery {
namespace duckdb {
namespace {

DatabaseOptions MakeDatabaseOptions(const SourceBackendOptions& options) {
  DatabaseOptions database;
  database.memory_limit_bytes = options.memory_limit_bytes;
  database.threads = options.threads;
  return database;
}

class SourceBackend : public QueryBackend {
 public:
  SourceBackend(std::vector<std::shared_ptr<TableSource>> sources, Database database,
                const SourceBackendOptions& options)
      : bounds_{options.max_scan_rows, options.max_scan_bytes},
        tables_(std::move(sources)),
        function_(&tables_, &database.connection_states()),
        database_(std::move(database)),
        pool_(&database_, options.max_connections) {}

  absl::Status Prepare() {
    {
      LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, database_.Connect());
      LOGQUERY_RETURN_IF_ERROR(RegisterFunctions(connection.get(), &database_.connection_states()));
      LOGQUERY_RETURN_IF_ERROR(function_.Register(connection.get()));
    }
    return ReadCatalog().status();
  }

  Capabilities capabilities() const override {
    return {Dialect::kDuckDb, base::StrCat(EngineName(), " over rows of the program"), /*redacts=*/true,
            /*reads_googlesql=*/false};
  }

  absl::StatusOr<Catalog> ReadCatalog() override { return tables_.Read(database_); }

  uint64_t CatalogVersion() const override { return tables_.Version(); }

  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    SourceRun run(&query, &bindings, bounds_);
    const absl::Status status =
        duckdb::Execute(pool_, deadlines_, query, bindings, nullptr, nullptr, limits, cancellation, sink, &run);
    if (!status.ok()) return run.Outcome(status);
    if (auto marks = run.Marks()) sink.SetMarks(*std::move(marks));
    return status;
  }

 private:
  const ScanBounds bounds_;
  // The order of the members matters: they are destroyed in reverse order.
  mutable SourceTables tables_;
  SourceFunction function_;
  Database database_;
  ConnectionPool pool_;
  Deadlines deadlines_;
};

}  // namespace
}  // namespace duckdb

absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSources(std::vector<std::shared_ptr<TableSource>> sources,
                                                              const SourceBackendOptions& options) {
  if (std::any_of(sources.begin(), sources.end(), [](const auto& source) { return source == nullptr; })) {
    return absl::InvalidArgumentError("a backend over sources needs a source, not nullptr");
  }
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Database database, duckdb::Database::Open(duckdb::MakeDatabaseOptions(options)));
  auto backend = std::make_unique<duckdb::SourceBackend>(std::move(sources), std::move(database), options);
  LOGQUERY_RETURN_IF_ERROR(backend->Prepare());
  return std::unique_ptr<QueryBackend>(std::move(backend));
}

absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSource(std::shared_ptr<TableSource> source,
                                                             const SourceBackendOptions& options) {
  std::vector<std::shared_ptr<TableSource>> sources;
  sources.push_back(std::move(source));
  return OpenOverSources(std::move(sources), options);
}

}  // namespace logquery
