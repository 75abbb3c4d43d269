// Marks of tables' rows: text that changes whenever rows of the project that a query reads are added or deleted, and
// with nothing else. Marks stay the same across restarts and in copies of the folder. They are the changes in
// change_books.h.
//
// Reading a mark takes a query, so the marks of the last state are cached, and follow the changes that add rows. The cache
// also knows the earliest times of the rows that the last changes added.
#ifndef LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_
#define LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/query_tables.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/recent_changes.h"
#include "logquery/batch.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Makes the folder's secret that keys receipts, if it has none, in `connection`'s open transaction.
absl::Status EnsureReceiptKey(duckdb_connection connection);
// Returns the secret; empty: the folder is open read-only and was last written by a version without marks of projects.
absl::StatusOr<std::string> ReadReceiptKey(duckdb_connection connection);

// Returns the tables' marks, in their order; in an open transaction, those of the rows that it sees. `project`: the
// query reads only this project's rows.
absl::StatusOr<std::vector<TableMark>> ReadMarks(duckdb_connection connection, const std::vector<Table>& tables,
                                                 const std::optional<std::string>& project);

// The rows of a table that a query reads: those of `project`, or all.
struct RowsOfTable {
  std::string table;
  std::optional<std::string> project;
};

// Holds a bounded number of marks. Thread-safe.
class TableMarksCache {
 public:
  static constexpr size_t kMaxMarks = 10'000;

  // nullopt: some are not known for this state.
  std::optional<std::vector<TableMark>> Find(const std::vector<Table>& tables,
                                             const std::optional<std::string>& project,
                                             const duckdb::DataVersion::Stamp& stamp);
  // Stores `marks`, which were read in the state `stamp`; it must be settled.
  void Keep(const std::vector<TableMark>& marks, const std::optional<std::string>& project,
            const duckdb::DataVersion::Stamp& stamp);
  // Must be called before `change`, which only adds rows, is committed: whoever can read its rows finds it here.
  void Announce(const BookedChange& change);
  // Must be called if that commit failed.
  void Failed(const BookedChange& change);
  // Takes the marks over from the state `before` to `after`, between which nothing but `change` was committed.
  void Follow(const BookedChange& change, const duckdb::DataVersion::Stamp& before,
              const duckdb::DataVersion::Stamp& after);

  // See RecentChanges.
  int64_t Completed(const std::string& table);
  std::optional<int64_t> EarliestAfter(const RowsOfTable& rows, int64_t number);
  std::optional<RecentChanges::Rows> RowsBetween(const RowsOfTable& rows, int64_t after, int64_t last);
  bool IsAskedFor(const std::string& table);
  // Drops the copies of all rows. Must be called where rows or fields are removed: a copy must not outlive them.
  void DropRows();

 private:
  absl::Mutex mutex_;
  duckdb::DataVersion::Stamp stamp_ ABSL_GUARDED_BY(mutex_);
  // The marks by project and table name, for stamp_.
  absl::flat_hash_map<std::pair<std::optional<std::string>, std::string>, std::string> kept_ ABSL_GUARDED_BY(mutex_);
  base::StringMap<RecentChanges> recent_ ABSL_GUARDED_BY(mutex_);  // by table
};

// Returns the number of the change that a mark is; 0: the mark is empty.
int64_t NumberOfMark(std::string_view mark);

// Returns their marks, in their order; empty marks: the table has none. Reads them on a connection of `pool` where they
// are not cached. Empty: they can't be read now.
std::vector<std::string> CurrentMarks(duckdb::ConnectionPool& pool, TableMarksCache& cache,
                                      const std::vector<RowsOfTable>& rows);

// All tables of the store that one query reads.
class TablesOfQuery : public duckdb::MarkedTables {
 public:
  // `project`: it reads only this project's rows. `key` is the folder's, which is passed on as the mark of no table.
  // `cache`, of the query's database, is borrowed.
  TablesOfQuery(std::vector<Table> tables, std::optional<std::string> project, std::string key, TableMarksCache* cache)
      : tables_(std::move(tables)), project_(std::move(project)), key_(std::move(key)), cache_(cache) {}

  std::optional<std::vector<TableMark>> Find(const duckdb::DataVersion::Stamp& stamp) override;
  absl::StatusOr<std::vector<TableMark>> Read(duckdb_connection connection) override;
  void Keep(const std::vector<TableMark>& marks, const duckdb::DataVersion::Stamp& stamp) override {
    cache_->Keep(marks, project_, stamp);
  }

 private:
  std::vector<TableMark> WithKey(std::vector<TableMark> marks) const;

  std::vector<Table> tables_;
  std::optional<std::string> project_;
  std::string key_;
  TableMarksCache* const cache_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_TABLE_MARKS_H_
