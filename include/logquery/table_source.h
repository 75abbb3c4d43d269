// Rows of a program's own, as tables: what a program implements to have them queried in the whole dialect.
//
//     class Orders : public logquery::TableSource {
//       absl::StatusOr<logquery::Catalog> ReadCatalog() override { … }          // which tables, with which columns
//       absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken& cancellation,
//                         logquery::BatchSink& sink) override { … }             // the wanted columns of all rows
//     };
//     auto backend = logquery::OpenOverSource(std::make_shared<Orders>(), {});   // logquery/duckdb/source_backend.h
//
// examples/own_rows.cc is a whole one. What a request says beside its columns are hints: a source may use those that spare it
// work and ignore the others, because everything is applied to its rows again.
//
// Implementations are thread-safe: Scan is called from many threads at once, also several times for one query.
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

// A comparison that holds for every row that the query has a use for. A row where it is FALSE or NULL may be left out.
struct ScanCondition {
  using Comparison = TableHints::Comparison;
  std::vector<std::string> path;  // the column, then fields of records: {"metadata", "status"}
  Comparison comparison = Comparison::kEqual;
  Value value;  // of the column's type, never NULL; text compares by its bytes
};

struct ScanRequest {
  const Table* table = nullptr;  // of a catalog that the source gave; borrowed for the call
  // What is wanted, in this order: places in table->columns. May be one column that nothing is read of, for its number of rows.
  std::vector<size_t> columns;
  std::vector<ScanCondition> conditions;
  // The query wants the newest rows alone, by the table's time_column: the newest so many of those for which all `conditions`
  // hold, and all that have the same time as the last of them, are enough. May be used only together with all conditions.
  std::optional<int64_t> newest;
};

class TableSource {
 public:
  virtual ~TableSource() = default;

  // The tables as they are now. Tables have no hot_columns and no learned_columns; their names differ in more than case.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;

  // A number that is another one as soon as ReadCatalog() gives another catalog than before; asked for at every call.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Hands all rows of the table to `sink`, in batches of any length, with the wanted columns in their order, of exactly the
  // catalog's types. Append returns when the batch is not needed any more, and waits for the query: at once with a status
  // that is not OK when no further rows are wanted, which Scan is then to return. Runs on a thread of its own.
  // To be returned early when `cancellation` is cancelled: the query waits for it a second at most.
  // A status that is not OK becomes the query's. The sink's SetMarks may tell the state of the rows that were read: then
  // answers carry it in their receipts.
  virtual absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_TABLE_SOURCE_H_
