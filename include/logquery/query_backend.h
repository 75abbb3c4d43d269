// The interface between logquery and an engine.
//
// A backend of your own takes about 50 lines: see examples/custom_backend.cc. The suite in testing/backend_contract.h
// checks that a backend meets this contract; every backend in this repository passes it.
//
// Implementations must be thread-safe: Execute is called from many threads at once.
#ifndef LOGQUERY_QUERY_BACKEND_H_
#define LOGQUERY_QUERY_BACKEND_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/call_tags.h"
#include "logquery/cancellation.h"
#include "logquery/catalog.h"
#include "logquery/prepared_query.h"

namespace logquery {

class FragmentDialect;  // the dialect of a remote engine; internal to the library

struct Capabilities {
  Dialect dialect = Dialect::kGoogleSql;  // the dialect of dialect_text()
  std::string engine;                     // name and version, for display: "DuckDB 1.5.6"
  // Whether the backend can redact text while a query runs. If not, calls for which an endpoint or a token mandates
  // redaction are denied if their query reads text.
  bool redacts = false;
  // Whether the backend reads PreparedQuery::googlesql(). If not, that text stays empty, which saves the time to write
  // it.
  bool reads_googlesql = true;
  // For a backend that runs parts of a query in a remote engine: the dialect of those parts, which lives as long as the
  // backend. nullptr: dialect_text() is the whole query.
  const FragmentDialect* fragments = nullptr;
};

struct ExecutionLimits {
  absl::Duration time_limit = absl::InfiniteDuration();    // measured from the start of the call
  int64_t max_rows = std::numeric_limits<int64_t>::max();  // the sink gets no rows beyond these
  CallTags tags = {};                                      // for the records of a remote engine; not a limit
};

// The state of the rows that a query reads.
struct RowsState {
  // Equal texts mean equal rows, stored in the same order. Once a state has passed, its text never comes again. Empty:
  // the backend can't tell.
  std::string text;
  // Between two states of one epoch, rows were only added: each row has kept its values and its place, and places of
  // rows that were added are greater. Empty: the backend can't tell.
  std::string epoch;
  std::vector<TableMark> marks;  // of the query's tables, as in BatchSink::SetMarks
};

class QueryBackend {
 public:
  virtual ~QueryBackend() = default;

  virtual Capabilities capabilities() const = 0;

  // Returns the current tables. Unavailable: the engine can't be reached.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;

  // Returns a number that changes whenever ReadCatalog() would return a different catalog. Every call of the service
  // reads it, so it must be cheap. A query planned against an older catalog either runs with unchanged meaning or
  // fails.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Runs the query and passes its rows to `sink`, in order, in batches whose columns have exactly the types of
  // query.schema(). Returns OK when all rows have been passed on; otherwise the status of the first of these events:
  //   InvalidArgument     an error while evaluating rows: division by zero, a cast, an index, overflow
  //   DeadlineExceeded    limits.time_limit has passed
  //   Cancelled           `cancellation` was cancelled
  //   ResourceExhausted   the engine reached its memory limit
  //   Unavailable         the engine can't be reached, or is overloaded
  //   Internal            anything else; the message is for the log, not for the caller
  //   the sink's status   Append returned an error
  // After the return nothing of the execution is still running, and the sink is not called again.
  virtual absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                               const CancellationToken& cancellation, BatchSink& sink) = 0;

  // Returns the state of query.rows_read() for these bindings: one that an Execute which begins now would see, or an
  // earlier one. The service keeps answers together with their state, and returns them as long as it is the same. Every
  // call of such a query reads it, so it must be cheap. A backend without states returns an empty text, and none of its
  // answers is kept.
  virtual RowsState ReadState(const PreparedQuery& /*query*/, const Bindings& /*bindings*/) { return {}; }
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_BACKEND_H_
