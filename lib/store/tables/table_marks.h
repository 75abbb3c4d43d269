// Marks of tables' rows: text that differs whenever rows were loaded, removed or put in order, or columns changed; also over restarts of the
// program, and the same in a copy of the folder. They are made of the store's books. A table with rows that are in no book,
// as a program appends them without a name, has none.
//
// Reading one takes some milliseconds, so those of the last state are kept.
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

// The tables' marks, in their order. With a transaction open, they are of the rows that it sees.
absl::StatusOr<std::vector<TableMark>> ReadMarks(duckdb_connection connection, const std::vector<Table>& tables);

// Thread-safe.
class TableMarksCache {
 public:
  // nullopt: not all of them are known for this state.
  std::optional<std::vector<TableMark>> Find(const std::vector<Table>& tables, const duckdb::DataVersion::Stamp& stamp);
  // `marks` were read while the state was `stamp`, which is settled.
  void Keep(const std::vector<TableMark>& marks, const duckdb::DataVersion::Stamp& stamp);

 private:
  absl::Mutex mutex_;
  duckdb::DataVersion::Stamp stamp_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::string> kept_ ABSL_GUARDED_BY(mutex_);  // by the table's name, for stamp_
};

// All tables of the store's that one query reads.
class TablesOfQuery : public duckdb::MarkedTables {
 public:
  // `cache` is borrowed, of the database that the query runs on.
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
