// What functions of ours, which run on the engine's threads, know of the query that they work for: a function learns when it is
// bound which connection it is for, and reads that connection's state.
//
// DuckDB looks whether it is interrupted between two vectors of 2,048 rows, which is soon enough for its own functions on
// short values and not for a regular expression over long ones: ours look at `stop` for each row.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_STATE_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_STATE_H_

#include <duckdb.h>

#include <atomic>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace logquery::duckdb {

class SourceRun;

struct ConnectionState {
  std::atomic<bool> stop{false};                // the query that runs is to end
  std::atomic<SourceRun*> source_run{nullptr};  // what it scans sources for; nullptr: it has none

  bool IsStopped() const { return stop.load(std::memory_order_relaxed); }
};

// Of one database.
class ConnectionStates {
 public:
  // A connection's state, in the list while this lives: from before its first statement is prepared until after the last is
  // gone.
  class Entry {
   public:
    Entry(ConnectionStates* owner, duckdb_connection connection);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ConnectionState& operator*() { return state_; }
    ConnectionState* operator->() { return &state_; }

   private:
    ConnectionStates* const owner_;
    const idx_t connection_;
    ConnectionState state_;
  };

  // nullptr: that connection has none, as it runs no caller's queries. Lives as long as the connection's statements.
  const ConnectionState* Find(duckdb_client_context context) const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<idx_t, const ConnectionState*> states_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_STATE_H_
