// One query's way through DuckDB: lease a connection, prepare, bind, stream chunks to the sink as batches.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_EXECUTION_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_EXECUTION_H_

#include "absl/status/status.h"
#include "lib/backend/duckdb/connection_pool.h"
#include "lib/backend/duckdb/deadlines.h"
#include "lib/backend/duckdb/query_tables.h"
#include "logquery/query_backend.h"

namespace logquery::duckdb {

// QueryBackend::Execute's contract. The dialect text's `$1` is the first binding. With `newest`, which may be nullptr, the
// query is tried on the newest rows first; with `marked`, which may be nullptr too, the sink learns the tables' marks. `sources`
// is what scans of sources are for; nullptr: there are none.
absl::Status Execute(ConnectionPool& pool, Deadlines& deadlines, const PreparedQuery& query, const Bindings& bindings,
                     NewestFirst* newest, MarkedTables* marked, const ExecutionLimits& limits,
                     const CancellationToken& cancellation, BatchSink& sink, SourceRun* sources = nullptr);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_EXECUTION_H_
