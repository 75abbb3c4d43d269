// A backend over a program's own rows: its tables are scanned, and DuckDB, in memory, does everything else. Link
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
  int max_connections = 64;                // executions at one time; beyond: Unavailable
  // What one scan may give; beyond: ResourceExhausted, which names the table.
  int64_t max_scan_rows = 100'000'000;
  int64_t max_scan_bytes = 16LL << 30;
};

// Thread-safe. A call that is running keeps the source: it may be let go of at any time. What a source does wrong, such as a
// column of another type than its catalog says, NULL for the time of a row, or an exception, is Internal, with the source's
// table and column in the message. Rows that a scan gives are checked: broken UTF-8 becomes U+FFFD; a time that is no
// TIMESTAMP, or text that is no JSON, is Internal.
// InvalidArgument: `source` is nullptr, or its catalog can't be used (two tables of one name, a table without columns).
// Otherwise what ReadCatalog returned.
absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSource(std::shared_ptr<TableSource> source,
                                                             const SourceBackendOptions& options);

// Several sources in one: each has tables of its own. Two with a table of one name: InvalidArgument.
absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverSources(std::vector<std::shared_ptr<TableSource>> sources,
                                                              const SourceBackendOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_DUCKDB_SOURCE_BACKEND_H_
