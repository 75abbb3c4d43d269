// Finds the projects that have few rows among those of closed days, while these are loaded. The records of such rows are packed
// (record_packers.h): a query for the newest rows of a project with few of them reaches far into closed days, where each row
// lies in vectors of its own.
//
//     rare.Count(rows);  // those of a batch or chunk
//     rare.Find(rows);   // those of a chunk
//     if (rows[i].is_rare) …
//
// An estimate from the rows so far. A wrong one costs some bytes, or a query the time of packed records; no answer depends on it.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_STORE_ROWS_RARE_PROJECTS_H_
#define LOGQUERY_LIB_STORE_ROWS_RARE_PROJECTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/batch.h"

namespace logquery::store {

// A project with more rows in a day has a hundred in the open days, whose records are all packed.
inline constexpr int64_t kMostRareRowsOfDay = 128;
// The rare projects together have about one in so many of the rows, and with those that stay rare, one in kMostRarePart.
inline constexpr int64_t kRarePart = 20;
inline constexpr int64_t kMostRarePart = 10;
// Never more than one in so many: where projects have about equal numbers of rows, all could be rare.
inline constexpr int64_t kLimitPart = 8;
// Rows of further projects are not counted for their projects, and are not rare.
inline constexpr size_t kMostCountedProjects = 100'000;

class RareProjects {
 public:
  struct Row {
    StringRef project;
    int64_t time = 0;  // in microseconds since 1970
    bool is_rare = false;
  };

  // Counts rows that are stored together, which are about those of one time range.
  void Count(const std::vector<Row>& rows);
  // Sets is_rare for rows whose projects are among those with the fewest counted rows. A project at the limit stays rare, because
  // one row without a packed record is enough for a query to read none.
  void Find(std::vector<Row>& rows);

 private:
  struct Project {
    int64_t rows = 0;
    bool was_rare = false;
  };

  // Numbers of rows in classes, four for each power of two, so that the limit is found without sorting the projects.
  static constexpr size_t kClasses = 256;
  static size_t ClassOf(int64_t rows);

  void CountRow(const Row& row) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddTimes(const std::vector<Row>& rows) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the number of the first classes that have no more than `rows` rows together.
  size_t ClassesOf(int64_t rows) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  base::StringMap<Project> projects_ ABSL_GUARDED_BY(mutex_);
  std::array<int64_t, kClasses> rows_of_class_ ABSL_GUARDED_BY(mutex_) = {};
  int64_t rows_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t rare_rows_ ABSL_GUARDED_BY(mutex_) = 0;  // the rows that were found
  double days_ ABSL_GUARDED_BY(mutex_) = 0;        // the sum of the time ranges of what was counted
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_RARE_PROJECTS_H_
