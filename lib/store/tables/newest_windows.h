// Time windows on a table's newest rows, based on its number of rows per hour.
//
//     HourWindows windows(counts, {.rows = 100, .not_before = start});
//
// The next window's size follows from the number of rows found so far, which reflects the query's other conditions.
#ifndef LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_
#define LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/query_tables.h"
#include "lib/store/tables/hour_counts.h"
#include "logquery/catalog.h"

namespace logquery::store {

class HourWindows : public duckdb::NewestWindows {
 public:
  // A window with fewer rows of the table is not cheaper to read.
  static constexpr int64_t kFirstWindowRows = 65'536;

  HourWindows(std::shared_ptr<const HourCounts> counts, const Wanted& wanted)
      : counts_(std::move(counts)), wanted_(wanted) {
    SetFloor();
  }

  absl::Time floor() const override { return floor_; }
  void Grow(int64_t found) override;

 private:
  void SetFloor();

  std::shared_ptr<const HourCounts> counts_;
  Wanted wanted_;
  int64_t window_rows_ = kFirstWindowRows;  // rows of the table
  absl::Time floor_;
};

// A table of the store, for one query.
class NewestOfTable : public duckdb::NewestFirst {
 public:
  // `counts` is borrowed. The table must have a time_column.
  NewestOfTable(Table table, HourCountsCache* counts) : table_(std::move(table)), counts_(counts) {}

  absl::StatusOr<std::unique_ptr<duckdb::NewestWindows>> OpenWindows(
      duckdb_connection connection, const duckdb::DataVersion::Stamp& stamp,
      const duckdb::NewestWindows::Wanted& wanted) override;

 private:
  Table table_;
  HourCountsCache* const counts_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_
