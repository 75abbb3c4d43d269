// Adds a remote engine of your own, without a change to logquery: describe its SQL (engine_spellings.h), run statements of
// it, and every caller has the whole dialect over its tables. Link logquery::duckdb.
//
//     class Sqlite : public logquery::FragmentEngine {
//       absl::StatusOr<logquery::Catalog> ReadCatalog() override { … }           // which tables, with which columns
//       absl::Status Run(const logquery::EngineStatement& statement, const logquery::CancellationToken& cancellation,
//                        logquery::BatchSink& sink) override { … }               // runs a text, passes on its rows
//     };
//     auto backend = logquery::CreateFragmentEngineBackend(spellings, std::make_shared<Sqlite>("logs.db"), {});
//
// The engine gets the filters, aggregates and other parts of a query that the spellings allow; DuckDB, in memory, does the
// rest on the rows that it returns. QueryService::Check with QueryRequest::explain shows which is which.
// tests/install/consumer/sqlite_engine.cc in the sources is a complete engine.
//
// Experimental: names and functions may change between versions.
#ifndef LOGQUERY_EXPERIMENTAL_FRAGMENT_ENGINE_H_
#define LOGQUERY_EXPERIMENTAL_FRAGMENT_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/call_tags.h"
#include "logquery/cancellation.h"
#include "logquery/catalog.h"
#include "logquery/experimental/engine_spellings.h"
#include "logquery/prepared_query.h"
#include "logquery/remote_backend.h"
#include "logquery/type.h"

namespace logquery {

// A statement for the engine. Everything is borrowed for the call of Run.
struct EngineStatement {
  const std::string& text;
  const Bindings& bindings;  // the values of the bind variables 1, 2, …; a STRING may hold NUL characters
  const Schema& schema;      // the columns of its rows, in order, with the types that they must have
  absl::Time deadline;       // after which nobody waits for rows; InfiniteFuture: the call has no time limit
  const CallTags& tags;      // for the engine's own records
};

// Implementations must be thread-safe: Run is called from many threads at once, possibly several times for one query.
class FragmentEngine {
 public:
  virtual ~FragmentEngine() = default;

  // Returns the current tables. Table::storage_name is one identifier, unquoted. Fields of records are computed by the
  // engine only if they have columns of their own (Table::hot_columns); else the whole record is asked for.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;
  // Returns a number that changes whenever ReadCatalog() would return a different catalog. Every call reads it.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Runs the statement and passes its rows to `sink`, in batches of any length; EngineRows makes them. Append waits for
  // the query. If it returns an error, no more rows are wanted; Run must return that status. Run must return early when
  // `cancellation` is cancelled, which also happens at the deadline: the query waits at most one second for it.
  //   Unavailable                    the engine can't be reached, or is overloaded
  //   ResourceExhausted              a limit of the engine; the message is for the caller
  //   DeadlineExceeded, Cancelled    it was ended, for example at statement.deadline
  // For any other status the query runs once more, with statements that only scan tables; if these fail too, the call is
  // an Internal error, whose message is for the log. An exception counts as Internal.
  virtual absl::Status Run(const EngineStatement& statement, const CancellationToken& cancellation,
                           BatchSink& sink) = 0;

  // Checks with little work whether the engine answers. Unavailable: it can't be reached.
  virtual absl::Status Probe(const CancellationToken& /*cancellation*/) { return absl::OkStatus(); }
};

struct FragmentEngineOptions {
  int64_t memory_limit_bytes = 2LL << 30;  // of DuckDB
  int threads = 0;                         // of DuckDB; 0: as many as the machine has
  int max_connections = 64;                // concurrent executions; beyond: Unavailable
  // Limits of one statement's rows; beyond: ResourceExhausted, and the message says why they all had to come here.
  int64_t max_statement_rows = 10'000'000;
  int64_t max_statement_bytes = 4LL << 30;
};

// Returns a thread-safe backend. Running calls share ownership of the engine.
//   InvalidArgument      CheckEngineSpellings rejects the spellings, or `engine` is nullptr
//   FailedPrecondition   a table or column has a name that can't be quoted, or a type that is not in the spellings
// Errors of ReadCatalog are passed on.
absl::StatusOr<std::unique_ptr<RemoteBackend>> CreateFragmentEngineBackend(const EngineSpellings& spellings,
                                                                           std::shared_ptr<FragmentEngine> engine,
                                                                           const FragmentEngineOptions& options);

// Makes batches of an engine's cells. Each Add… fills the next column of the current row.
//
//     EngineRows rows(statement.schema, sink);
//     while (…) {
//       rows.AddInt64(…);
//       rows.AddText(…);
//       if (absl::Status status = rows.EndRow(); !status.ok()) return status;
//     }
//     return rows.Finish();
//
// Not thread-safe. Borrows schema and sink.
class EngineRows {
 public:
  EngineRows(const Schema& schema, BatchSink& sink);
  ~EngineRows();
  EngineRows(const EngineRows&) = delete;
  EngineRows& operator=(const EngineRows&) = delete;

  void AddNull();
  void AddBool(bool value);
  // For INT64; BOOL (0 is FALSE); DATE in days; TIME, DATETIME and TIMESTAMP in microseconds, as in Value.
  void AddInt64(int64_t value);
  void AddFloat64(double value);
  // For STRING and BYTES. For JSON, records, STRUCT and ARRAY it is JSON text: a field that is missing, or has another
  // type than declared, is NULL; an object with several elements is no record.
  void AddText(std::string_view value);

  // Ends the row, and passes on a batch when there are enough rows. Internal: the row has another number of values than
  // the schema, or one of another type, or its JSON is not JSON. The sink's errors are passed on.
  absl::Status EndRow();
  // Passes on what is left.
  absl::Status Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery

#endif  // LOGQUERY_EXPERIMENTAL_FRAGMENT_ENGINE_H_
