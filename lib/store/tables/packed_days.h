// The days whose rows have packed records, as far as is known: rows of open days have one, and rows of closed days if their project
// is rare (lib/store/rows/rare_projects.h), or if they were stored with PackedRecords::kAll. The folder does not record which rows
// have one, so a query tries them. If it finds a row without one, it notes that, and for a while later queries read the fields of
// these days and of earlier ones.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_
#define LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/clock.h"

namespace logquery::store {

class PackedDays {
 public:
  // `clock`, which is borrowed, says which days are open.
  explicit PackedDays(const Clock* clock = Clock::Real()) : clock_(clock) {}

  // Open days that have rows without packed records are tried again after that time. A failed attempt costs up to 15 ms.
  static constexpr absl::Duration kRest = absl::Minutes(1);
  // The same for closed days, whose rows seldom get one.
  static constexpr absl::Duration kRestOfClosedDays = absl::Hours(1);
  // More projects are forgotten, and each tried again.
  static constexpr size_t kMostProjects = 10'000;

  // Returns the time from which on the table's rows may have packed records; InfinitePast: all may; InfiniteFuture: none may.
  // `project`: the only one whose rows are read; nullopt: those of all are.
  absl::Time From(const std::string& table, const std::optional<std::string>& project);
  // Notes that a row between `from`, the result of From(), and `last`, the latest time that the query reads, has none.
  void NoteMissing(const std::string& table, const std::optional<std::string>& project, absl::Time from,
                   absl::Time last);

 private:
  using Rows = std::pair<std::string, std::optional<std::string>>;  // a table, and a project; nullopt: of all projects
  struct Missing {
    absl::Time until;              // earlier rows have no packed records
    absl::Duration resting_until;  // monotonic time
  };

  const Clock* const clock_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Rows, Missing> missing_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_
