#include "lib/backend/duckdb/backend_impl.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lib/backend/duckdb/execution.h"
#include "lib/backend/duckdb/no_store.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery {
namespace duckdb {

absl::StatusOr<std::unique_ptr<DuckDbBackend>> DuckDbBackendImpl::OpenInMemory(const DuckDbOptions& options) {
  DatabaseOptions database_options;
  database_options.memory_limit_bytes = options.memory_limit_bytes;
  database_options.threads = options.threads;
  LOGQUERY_ASSIGN_OR_RETURN(Database database, Database::Open(database_options));
  return std::unique_ptr<DuckDbBackend>(new DuckDbBackendImpl(
      std::move(database), std::make_unique<NoStore>("this database is in memory and takes no logs"),
      options.max_connections));
}

Capabilities DuckDbBackendImpl::capabilities() const {
  std::string_view version = duckdb_library_version();
  if (!version.empty() && version.front() == 'v') version.remove_prefix(1);
  return {Dialect::kDuckDb, base::StrCat("DuckDB ", version)};
}

absl::StatusOr<Catalog> DuckDbBackendImpl::ReadCatalog() {
  absl::MutexLock lock(&mutex_);
  return Catalog(tables_, model::Fingerprint(tables_));
}

absl::Status DuckDbBackendImpl::Execute(const PreparedQuery& query, const Bindings& bindings,
                                        const ExecutionLimits& limits, const CancellationToken& cancellation,
                                        BatchSink& sink) {
  return duckdb::Execute(pool_, deadlines_, query, bindings, limits, cancellation, sink);
}

void DuckDbBackendImpl::PutTable(Table table) {
  RemoveTable(table.name);
  absl::MutexLock lock(&mutex_);
  tables_.push_back(std::move(table));
}

bool DuckDbBackendImpl::RemoveTable(const std::string& name) {
  absl::MutexLock lock(&mutex_);
  const size_t before = tables_.size();
  tables_.erase(std::remove_if(tables_.begin(), tables_.end(),
                               [&](const Table& table) { return base::EqualsIgnoreCase(table.name, name); }),
                tables_.end());
  return tables_.size() != before;
}

}  // namespace duckdb

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenDuckDb(const DuckDbOptions& options) {
  if (options.folder.empty()) return duckdb::DuckDbBackendImpl::OpenInMemory(options);
  return absl::UnimplementedError("folders are not there yet");
}

}  // namespace logquery
