// How many rows of a table lie in each hour, and between which times: what tells how far back the newest so many rows reach.
//
// Counted once the rows have changed, and not again until many times as long as that took has passed: who reads the counts
// must be right with old ones too.
//
//     LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const HourCounts> counts, cache.Get(table, connection, stamp));
//     counts->FloorOf(65'536, absl::InfiniteFuture());   // about so many rows are at that time or later
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
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/catalog.h"

namespace logquery::store {

class HourCounts {
 public:
  // Of one hour, in which its rows lie between `first` and `last`: the newest is seldom over.
  struct Hour {
    absl::Time first;
    absl::Time last;
    int64_t rows = 0;
  };

  // The newest hour first.
  explicit HourCounts(std::vector<Hour> hours) : hours_(std::move(hours)) {}

  // The latest time such that about `rows` rows lie from it up to `end`; InfinitePast where there are fewer.
  absl::Time FloorOf(int64_t rows, absl::Time end) const;

 private:
  std::vector<Hour> hours_;
};

class HourCountsCache {
 public:
  // `stamp` was read before `connection` is asked, which has no transaction open. The table has a time_column.
  absl::StatusOr<std::shared_ptr<const HourCounts>> Get(const Table& table, duckdb_connection connection,
                                                        const duckdb::DataVersion::Stamp& stamp);

 private:
  struct Kept {
    std::shared_ptr<const HourCounts> counts;
    duckdb::DataVersion::Stamp stamp;
    absl::Duration good_until;  // on the monotonic clock, whatever the stamp
  };
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, Kept> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_HOUR_COUNTS_H_
