// The days whose rows have packed records. Those of open days have one, unless a query has found one of them without: such rows
// are there until their days are closed if an older logquery has written them, or the clock was wrong. Rows of closed days may
// have one if their project is rare (lib/store/rows/rare_projects.h); which projects are, a query finds out.
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

  // Queries of a table that has rows without packed records try them again after that time. An attempt in vain costs up to 15 ms.
  static constexpr absl::Duration kRest = absl::Minutes(1);
  // The same for a project's rows of closed days. Few projects become rare.
  static constexpr absl::Duration kRestOfProject = absl::Hours(1);
  // More projects are forgotten, and each tried again.
  static constexpr size_t kMostProjects = 10'000;

  // Returns the time from which on the table's rows have packed records; InfiniteFuture: they may have none. `project`: the only
  // one whose rows are read; nullopt: those of all are.
  absl::Time From(const std::string& table, const std::optional<std::string>& project);
  // A row of these from then on, the result of From(), has none.
  void NoteMissing(const std::string& table, const std::optional<std::string>& project, absl::Time from);

 private:
  // A table, and a project of which all rows are meant; nullopt: the rows of open days of all projects.
  using Rows = std::pair<std::string, std::optional<std::string>>;

  bool IsResting(const Rows& rows) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Rows, absl::Duration> resting_until_ ABSL_GUARDED_BY(mutex_);  // monotonic time
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_
