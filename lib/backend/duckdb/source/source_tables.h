// The tables of a backend's sources, as the engine knows them: each catalog that was read is a generation, whose tables are
// views of their own, so that a query that was planned for an earlier one still finds what it reads.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_TABLES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_TABLES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/database.h"
#include "logquery/table_source.h"

namespace logquery::duckdb {

struct SourceTable {
  std::shared_ptr<TableSource> source;
  Table table;             // as the source has it; as the engine names it in storage_name
  std::string about = {};  // of a fragment: what is done to its rows here, and why
  // A fragment whose rows come once with their number, as a last column that `table` does not have.
  bool counted = false;
};

using SourceTableList = std::vector<SourceTable>;

class SourceTables {
 public:
  explicit SourceTables(std::vector<std::shared_ptr<TableSource>> sources) : sources_(std::move(sources)) {}

  // The sources' tables as they are now, made known to `database`. What the sources return; InvalidArgument: a table that
  // can't be used.
  absl::StatusOr<Catalog> Read(const Database& database);
  // Another number as soon as a source says that its catalog is another one.
  uint64_t Version();

  // The tables of a generation; nullptr: it is too old.
  std::shared_ptr<const SourceTableList> Find(int64_t generation) const;

 private:
  struct Generation {
    int64_t number = 0;
    std::shared_ptr<const SourceTableList> tables;
  };

  absl::StatusOr<SourceTableList> ReadSources();
  // The views of one generation made, those of another taken away; `old` may have no tables.
  static absl::Status MakeViews(const Database& database, const Generation& made, const Generation& old);

  const std::vector<std::shared_ptr<TableSource>> sources_;
  absl::Mutex reading_;  // one reads at a time
  mutable absl::Mutex mutex_;
  std::deque<Generation> generations_ ABSL_GUARDED_BY(mutex_);  // the newest last
  int64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::vector<uint64_t> versions_ ABSL_GUARDED_BY(mutex_);  // of the sources, when Version() last asked
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_TABLES_H_
