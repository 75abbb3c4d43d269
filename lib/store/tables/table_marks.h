// Marks of tables' rows: text that changes whenever rows are loaded, deleted or rewritten, or columns change. Marks
// stay the same across restarts and in copies of the folder. They are computed from the store's records. A table with
// unrecorded rows, appended without a batch name, has no mark.
//
// Reading a mark takes some milliseconds, so the marks of the last state are cached.
#ifndef LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_
#define LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/backend/duckdb/query_tables.h"
#include "logquery/batch.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Returns the tables' marks, in their order; in an open transaction, those of the rows that it sees.
absl::StatusOr<std::vector<TableMark>> ReadMarks(duckdb_connection connection, const std::vector<Table>& tables);

// Thread-safe.
class TableMarksCache {
 public:
  // nullopt: some are not known for this state.
  std::optional<std::vector<TableMark>> Find(const std::vector<Table>& tables, const duckdb::DataVersion::Stamp& stamp);
  // Stores `marks`, which were read in the state `stamp`; it must be settled.
  void Keep(const std::vector<TableMark>& marks, const duckdb::DataVersion::Stamp& stamp);

 private:
  absl::Mutex mutex_;
  duckdb::DataVersion::Stamp stamp_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::string> kept_ ABSL_GUARDED_BY(mutex_);  // by table name, for stamp_
};

// All tables of the store that one query reads.
class TablesOfQuery : public duckdb::MarkedTables {
 public:
  // `cache`, of the query's database, is borrowed.
  TablesOfQuery(std::vector<Table> tables, TableMarksCache* cache) : tables_(std::move(tables)), cache_(cache) {}

  std::optional<std::vector<TableMark>> Find(const duckdb::DataVersion::Stamp& stamp) override {
    return cache_->Find(tables_, stamp);
  }
  absl::StatusOr<std::vector<TableMark>> Read(duckdb_connection connection) override {
    return ReadMarks(connection, tables_);
  }
  void Keep(const std::vector<TableMark>& marks, const duckdb::DataVersion::Stamp& stamp) override {
    cache_->Keep(marks, stamp);
  }

 private:
  std::vector<Table> tables_;
  TableMarksCache* const cache_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_
