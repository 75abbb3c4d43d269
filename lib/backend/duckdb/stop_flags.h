// Tells functions of ours, which run on the engine's threads, that the query they work for is to end.
//
// DuckDB looks whether it is interrupted between two vectors of 2,048 rows, which is soon enough for its own functions on
// short values and not for a regular expression over long ones. A function learns when it is bound which connection it is
// for, and looks at that connection's flag for each row.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_STOP_FLAGS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_STOP_FLAGS_H_

#include <duckdb.h>

#include <atomic>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace logquery::duckdb {

using StopFlag = std::atomic<bool>;

// Of one database.
class StopFlags {
 public:
  // A connection's flag, in the list while this lives: from before its first statement is prepared until after the last is
  // gone.
  class Entry {
   public:
    Entry(StopFlags* owner, duckdb_connection connection);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    void Set(bool stop) { flag_.store(stop, std::memory_order_relaxed); }

   private:
    StopFlags* const owner_;
    const idx_t connection_;
    StopFlag flag_{false};
  };

  // nullptr: that connection has none, and what it runs is not stopped so. Lives as long as the connection's statements.
  const StopFlag* Find(duckdb_client_context context) const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<idx_t, const StopFlag*> flags_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_STOP_FLAGS_H_
