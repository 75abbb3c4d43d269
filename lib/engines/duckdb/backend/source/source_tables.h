// The tables of a backend's sources in the engine. Each catalog that was read is a generation, whose tables have views
// of their own, so that a query planned for an earlier catalog still finds its tables.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_TABLES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_TABLES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/database.h"
#include "logquery/table_source.h"

namespace logquery::duckdb {

struct SourceTable {
  std::shared_ptr<TableSource> source;
  Table table;             // the source's table; storage_name is its name in the engine
  std::string about = {};  // for a fragment: what is done to its rows locally, and why
  // True for a fragment whose rows are grouped, with their count as a last column that `table` does not have.
  bool counted = false;
};

using SourceTableList = std::vector<SourceTable>;

class SourceTables {
 public:
  explicit SourceTables(std::vector<std::shared_ptr<TableSource>> sources) : sources_(std::move(sources)) {}

  // Reads the sources' current tables and registers them with `database`. Errors of the sources are passed on;
  // InvalidArgument: a table can't be used.
  absl::StatusOr<Catalog> Read(const Database& database);
  // Returns a number that changes when a source reports a new catalog.
  uint64_t Version();

  // Returns the tables of a generation; nullptr: it has been dropped.
  std::shared_ptr<const SourceTableList> Find(int64_t generation) const;

 private:
  struct Generation {
    int64_t number = 0;
    std::shared_ptr<const SourceTableList> tables;
  };

  absl::StatusOr<SourceTableList> ReadSources();
  // Creates the views of one generation and drops those of another; `old` may have no tables.
  static absl::Status MakeViews(const Database& database, const Generation& made, const Generation& old);

  const std::vector<std::shared_ptr<TableSource>> sources_;
  absl::Mutex reading_;  // serializes reads
  mutable absl::Mutex mutex_;
  std::deque<Generation> generations_ ABSL_GUARDED_BY(mutex_);  // the newest last
  int64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::vector<uint64_t> versions_ ABSL_GUARDED_BY(mutex_);  // the sources' versions when Version() last asked
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_TABLES_H_
