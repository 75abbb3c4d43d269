// The number of a table's rows in each hour, and their first and last times: shows how far back a given number of
// newest rows reaches.
//
// Recomputed after the rows have changed, but only after many times the duration of the computation has passed: callers
// must also work with outdated counts.
//
//     LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const HourCounts> counts, cache.Get(table, connection, stamp));
//     counts->FloorOf(65'536, absl::InfiniteFuture());   // about this many rows are at that time or later
//
// HourCounts is immutable; HourCountsCache is thread-safe.
#ifndef LOGQUERY_LIB_STORE_TABLES_HOUR_COUNTS_H_
#define LOGQUERY_LIB_STORE_TABLES_HOUR_COUNTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/catalog.h"

namespace logquery::store {

class HourCounts {
 public:
  // One hour, whose rows are between `first` and `last`; the newest hour is usually incomplete.
  struct Hour {
    absl::Time first;
    absl::Time last;
    int64_t rows = 0;
  };

  // The newest hour first.
  explicit HourCounts(std::vector<Hour> hours) : hours_(std::move(hours)) {}

  // Returns the latest time such that about `rows` rows are between it and `end`; InfinitePast if there are fewer.
  absl::Time FloorOf(int64_t rows, absl::Time end) const;

 private:
  std::vector<Hour> hours_;
};

class HourCountsCache {
 public:
  // `stamp` must have been read before; `connection` must have no open transaction. The table must have a time_column.
  absl::StatusOr<std::shared_ptr<const HourCounts>> Get(const Table& table, duckdb_connection connection,
                                                        const duckdb::DataVersion::Stamp& stamp);

 private:
  struct Kept {
    std::shared_ptr<const HourCounts> counts;
    duckdb::DataVersion::Stamp stamp;
    absl::Duration good_until;  // monotonic time, for any stamp
  };
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, Kept> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_HOUR_COUNTS_H_
