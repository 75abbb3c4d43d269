// Executes one query in DuckDB: leases a connection, prepares, binds, and streams chunks to the sink as batches.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_EXECUTION_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_EXECUTION_H_

#include <memory>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/deadlines.h"
#include "lib/engines/duckdb/backend/query_tables.h"
#include "lib/engines/duckdb/backend/source/source_scan.h"
#include "lib/engines/duckdb/backend/source/source_tables.h"
#include "logquery/query_backend.h"

namespace logquery::duckdb {

// Implements QueryBackend::Execute. The dialect text's `$1` is the first binding. All pointers may be nullptr. With
// `newest`, the query is tried on the newest rows first. With `marked`, the sink receives the tables' marks. `sources`
// serves scans of sources.
absl::Status Execute(ConnectionPool& pool, Deadlines& deadlines, const PreparedQuery& query, const Bindings& bindings,
                     NewestFirst* newest, MarkedTables* marked, const ExecutionLimits& limits,
                     const CancellationToken& cancellation, BatchSink& sink, SourceRun* sources = nullptr);

// Passes the rows of the query's only fragment, the first of `tables`, to the sink as they come (PreparedQuery::
// pass_through). The engine runs nothing; its vectors hold the rows, which are checked and counted as those of every
// scan.
absl::Status ExecutePassThrough(ConnectionPool& pool, Deadlines& deadlines, const PreparedQuery& query,
                                const std::shared_ptr<const SourceTableList>& tables, ScanBounds bounds,
                                const ExecutionLimits& limits, const CancellationToken& cancellation, BatchSink& sink);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_EXECUTION_H_
