// The state of the current query, for our functions that run on the engine's threads. When a function is bound, it
// learns its connection, and later reads that connection's state.
//
// DuckDB checks for interrupts between vectors of 2,048 rows. That is often enough for its own functions on short
// values, but not for a regular expression on long ones, so our functions check `stop` for each row.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_STATE_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_STATE_H_

#include <duckdb.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace logquery::duckdb {

class SourceRun;

struct ConnectionState {
  std::atomic<bool> stop{false};                // the running query must end
  std::atomic<SourceRun*> source_run{nullptr};  // the run that scans sources; nullptr: it scans none

  // The bytes that our functions have made in this execution and planning. For each place in the query that calls one,
  // the most that it has made for one vector counts. All these results may be held at once.
  mutable std::atomic<int64_t> made_bytes{0};
  std::atomic<uint64_t> execution{0};  // a number for each

  bool IsStopped() const { return stop.load(std::memory_order_relaxed); }
};

// The states of all connections of a database.
class ConnectionStates {
 public:
  // A connection's state. It must exist from before the connection's first statement is prepared until after the last
  // one is destroyed.
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

  // Returns nullptr for a connection that runs no callers' queries. The state lives as long as the connection's
  // statements.
  const ConnectionState* Find(duckdb_client_context context) const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<idx_t, const ConnectionState*> states_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_STATE_H_
