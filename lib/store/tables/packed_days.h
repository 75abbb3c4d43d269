// The days whose rows have packed records: the open ones, unless a query has found a row of them without. Such rows are there until
// their days are closed if an older logquery has written them, or the clock was wrong.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_
#define LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace logquery::store {

class PackedDays {
 public:
  // Queries of a table that has rows without packed records try them again after that time. An attempt in vain costs up to 15 ms.
  static constexpr absl::Duration kRest = absl::Minutes(1);

  // Returns the time from which on the table's rows have packed records; InfiniteFuture: they may have none.
  absl::Time From(const std::string& table);
  // A row of the table from then on has none.
  void NoteMissing(const std::string& table);

 private:
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, absl::Duration> resting_until_ ABSL_GUARDED_BY(mutex_);  // monotonic time, by table
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_PACKED_DAYS_H_
