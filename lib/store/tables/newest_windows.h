// Time windows on a table's newest rows, based on its number of rows per hour.
//
//     HourWindows windows(counts, {.rows = 100, .not_before = start});
//
// The next window's size follows from the number of rows found so far, which reflects the query's other conditions.
#ifndef LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_
#define LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/query_tables.h"
#include "lib/store/tables/hour_counts.h"
#include "lib/store/tables/packed_days.h"
#include "logquery/catalog.h"

namespace logquery::store {

class HourWindows : public duckdb::NewestWindows {
 public:
  // A window with fewer rows of the table is not cheaper to read.
  static constexpr int64_t kFirstWindowRows = 65'536;

  // `packed_from`: see duckdb::NewestWindows.
  HourWindows(std::shared_ptr<const HourCounts> counts, const Wanted& wanted,
              absl::Time packed_from = absl::InfiniteFuture());

  absl::Time floor() const override { return floor_; }
  void Grow(int64_t found) override;
  absl::Time packed_from() const override { return packed_from_; }

 private:
  void SetFloor();

  std::shared_ptr<const HourCounts> counts_;
  Wanted wanted_;
  int64_t window_rows_ = kFirstWindowRows;  // rows of the table
  absl::Time floor_;
  absl::Time packed_from_;
};

// A table of the store, for one query.
class NewestOfTable : public duckdb::NewestFirst {
 public:
  // The pointers are borrowed. The table must have a time_column. `project`: the only one whose rows the query reads;
  // nullopt: there is none, or it is not known.
  NewestOfTable(Table table, std::optional<std::string> project, HourCountsCache* counts, PackedDays* packed,
                const backend::RecordDictionaries* dictionaries)
      : table_(std::move(table)),
        project_(std::move(project)),
        counts_(counts),
        packed_(packed),
        dictionaries_(dictionaries) {}

  absl::StatusOr<std::unique_ptr<duckdb::NewestWindows>> OpenWindows(
      duckdb_connection connection, const duckdb::DataVersion::Stamp& stamp,
      const duckdb::NewestWindows::Wanted& wanted) override;
  const backend::RecordDictionaries* dictionaries() const override { return dictionaries_; }
  void NotePackedIsMissing() override { packed_->NoteMissing(table_.name, project_, packed_from_, last_); }

 private:
  Table table_;
  std::optional<std::string> project_;
  absl::Time packed_from_ = absl::InfiniteFuture();
  absl::Time last_ = absl::InfiniteFuture();  // the latest time that the query reads
  HourCountsCache* const counts_;
  PackedDays* const packed_;
  const backend::RecordDictionaries* const dictionaries_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_NEWEST_WINDOWS_H_
