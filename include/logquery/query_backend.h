// The seam to engines: everything that logquery asks of one.
//
// A backend of one's own takes about 50 lines: see examples/custom_backend.cc. Whether it does what is asked is told by
// the suite in testing/backend_contract.h, which every backend here passes.
//
// Thread-safe: Execute is called from many threads at once.
#ifndef LOGQUERY_QUERY_BACKEND_H_
#define LOGQUERY_QUERY_BACKEND_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/call_tags.h"
#include "logquery/cancellation.h"
#include "logquery/catalog.h"
#include "logquery/prepared_query.h"

namespace logquery {

namespace emit {
class SqlDialect;
}  // namespace emit

struct Capabilities {
  Dialect dialect = Dialect::kGoogleSql;  // the one that dialect_text() is to be in
  std::string engine;                     // name and version, for people: "DuckDB 1.5.6"
  // Whether it can redact text while a query runs. Where not, an endpoint or a token that mandates redaction takes no SQL of
  // the caller's.
  bool redacts = false;
  // Whether it reads PreparedQuery::googlesql(). Where not, that is empty: a backend with a dialect of its own has no use for
  // it, and writing it takes as long as writing the other.
  bool reads_googlesql = true;
  // Of a backend that has parts of a query run where its rows are: what is run there, and in which words. Such a dialect comes
  // with logquery; it lives as long as the program. nullptr: dialect_text() is the whole query.
  const emit::SqlDialect* fragments = nullptr;
};

struct ExecutionLimits {
  absl::Duration time_limit = absl::InfiniteDuration();    // from the call on
  int64_t max_rows = std::numeric_limits<int64_t>::max();  // rows beyond are not handed to the sink
  CallTags tags = {};                                      // for the records of an engine elsewhere; limits nothing
};

class QueryBackend {
 public:
  virtual ~QueryBackend() = default;

  virtual Capabilities capabilities() const = 0;

  // The tables as they are now. Unavailable: the engine can't be asked.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;

  // A number that is another one as soon as ReadCatalog() gives another catalog than before; asked for at every call, so it
  // costs nothing. A query that was planned for a catalog of before either runs as it would have, or fails.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Runs the query and hands its rows to `sink`, in order, as batches whose columns have exactly the types of
  // query.schema(). Returns when all rows are through, or the first of these has happened:
  //   InvalidArgument     an error that only rows can show: division by zero, a cast, an index, overflow
  //   DeadlineExceeded    limits.time_limit has passed
  //   Cancelled           `cancellation` was cancelled
  //   ResourceExhausted   the engine's memory limit
  //   Unavailable         the engine can't be reached, or has too much to do
  //   Internal            anything else; the message is for the log, not for the caller
  //   the sink's status   when Append returned one
  // After a return nothing of the execution goes on, and the sink is not called any more.
  virtual absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                               const CancellationToken& cancellation, BatchSink& sink) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_BACKEND_H_
