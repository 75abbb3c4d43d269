// Offers a program's own rows as tables: implement TableSource to have them queried in the whole dialect.
//
//     class Orders : public logquery::TableSource {
//       absl::StatusOr<logquery::Catalog> ReadCatalog() override { … }          // which tables, with which columns
//       absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken& cancellation,
//                         logquery::BatchSink& sink) override { … }             // the wanted columns of all rows
//     };
//     auto backend = logquery::OpenOverSource(std::make_shared<Orders>(), {});   // logquery/duckdb/source_backend.h
//
// examples/own_rows.cc is a complete example. Everything in a request except its columns is a hint: a source may use
// hints that save it work and ignore the others, because the engine applies all conditions to its rows again.
//
// Implementations must be thread-safe: Scan is called from many threads at once, possibly several times for one query.
#ifndef LOGQUERY_TABLE_SOURCE_H_
#define LOGQUERY_TABLE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/batch.h"
#include "logquery/cancellation.h"
#include "logquery/catalog.h"
#include "logquery/prepared_query.h"
#include "logquery/value.h"

namespace logquery {

// A comparison that is TRUE for every row that the query needs. The source may omit rows for which it is FALSE or NULL. Sent are
// the comparisons of a column, or of a field of a record, with a value that is known before the query runs: a constant, a
// parameter, or an expression of these and the current time.
struct ScanCondition {
  using Comparison = TableHints::Comparison;
  std::vector<std::string> path;  // the column, then nested record fields: {"metadata", "status"}
  Comparison comparison = Comparison::kEqual;
  Value value;  // of the column's type, never NULL; text is compared bytewise
};

struct ScanRequest {
  const Table* table = nullptr;  // from a catalog that the source returned; borrowed for the call
  // The wanted columns in this order, as indexes into table->columns. A query that only counts rows asks for any one
  // column.
  std::vector<size_t> columns;
  std::vector<ScanCondition> conditions;
  // The query wants only the newest rows by the table's time_column. It is enough to return the newest `newest` rows
  // for which all `conditions` hold, and all rows with the same time as the last of them. A source may use this hint
  // only if it applies all conditions.
  std::optional<int64_t> newest;
};

class TableSource {
 public:
  virtual ~TableSource() = default;

  // Returns the current tables. They have no hot_columns and no learned_columns, and names that differ only in case are
  // not allowed.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;

  // Returns a number that changes whenever ReadCatalog() would return a different catalog. Every call reads it.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Passes all rows of the table to `sink`, in batches of any length, with the wanted columns in the requested order
  // and with exactly the catalog's types. Append waits for the query and returns when it no longer needs the batch. If
  // it returns an error, no more rows are wanted; Scan must return that status. Scan runs on a thread of its own.
  // Scan must return early when `cancellation` is cancelled: the query waits at most one second for it. An error of
  // Scan becomes the query's. If Scan passes the state of the rows it read to the sink's SetMarks, answers carry it in
  // their receipts.
  virtual absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_TABLE_SOURCE_H_
