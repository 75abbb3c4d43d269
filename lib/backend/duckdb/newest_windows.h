// The floors that a query for the newest rows of a table is tried with, each earlier than the one before, until enough rows
// come or no floor is left.
//
//     NewestWindows windows(counts, {.rows = 100, .not_before = start});
//     while (true) {
//       … run with windows.floor(); the last one keeps all rows …
//       if (windows.last() || found == 100) break;
//       windows.Grow(found);
//     }
//
// How far the next one reaches is reckoned from what was found: whatever the query's other conditions leave over shows there.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_NEWEST_WINDOWS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_NEWEST_WINDOWS_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "lib/backend/duckdb/hour_counts.h"

namespace logquery::duckdb {

class NewestWindows {
 public:
  struct Wanted {
    int64_t rows = 0;
    absl::Time not_after = absl::InfiniteFuture();
    absl::Time not_before = absl::InfinitePast();
  };
  // A window of fewer of the table's rows costs no less to read.
  static constexpr int64_t kFirstWindowRows = 65'536;

  NewestWindows(std::shared_ptr<const HourCounts> counts, const Wanted& wanted)
      : counts_(std::move(counts)), wanted_(wanted) {
    SetFloor();
  }

  // InfinitePast when it is the last.
  absl::Time floor() const { return floor_; }
  bool last() const { return floor_ == absl::InfinitePast(); }
  // `found` rows of those wanted came with this floor: fewer than are wanted.
  void Grow(int64_t found);

 private:
  void SetFloor();

  std::shared_ptr<const HourCounts> counts_;
  Wanted wanted_;
  int64_t window_rows_ = kFirstWindowRows;  // of the table's
  absl::Time floor_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_NEWEST_WINDOWS_H_
