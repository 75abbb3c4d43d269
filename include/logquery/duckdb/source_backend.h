// A backend for a program's own rows: it scans the program's tables, and DuckDB, in memory, does everything else. Link
// logquery::duckdb.
//
//     auto backend = logquery::OpenOverSource(std::make_shared<Orders>(), {.memory_limit_bytes = 512 << 20});
//     auto service = logquery::QueryService::Create({.backend = backend->get(), .endpoints = {…}});
#ifndef LOGQUERY_DUCKDB_SOURCE_BACKEND_H_
#define LOGQUERY_DUCKDB_SOURCE_BACKEND_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/query_backend.h"
#include "logquery/table_source.h"

namespace logquery {

struct SourceBackendOptions {
  int64_t memory_limit_bytes = 2LL << 30;  // of the engine
  int threads = 0;                         // of the engine; 0: as many as the machine has
  int max_connections = 64;                // concurrent executions; beyond: Unavailable
  // Limits of one scan; beyond: ResourceExhausted, and the message names the table.
  int64_t max_scan_rows = 100'000'000;
  int64_t max_scan_bytes = 16LL << 30;
};

// Returns a thread-safe backend. Running calls share ownership of the source, so the caller may release it at any time.
// Defects of a source are Internal, and the message has the table and column: a column whose type differs from the
// catalog, NULL in the time column, an exception. The backend validates a scan's rows: it replaces invalid UTF-8 by
// U+FFFD; an invalid TIMESTAMP or invalid JSON is Internal.
// InvalidArgument: `source` is nullptr, or its catalog can't be used (two tables with one name, a table without
// columns). Errors of ReadCatalog are passed on.
absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSource(std::shared_ptr<TableSource> source,
                                                             const SourceBackendOptions& options);

// Combines several sources. InvalidArgument, in addition: two sources have a table with the same name.
absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSources(std::vector<std::shared_ptr<TableSource>> sources,
                                                              const SourceBackendOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_DUCKDB_SOURCE_BACKEND_H_
