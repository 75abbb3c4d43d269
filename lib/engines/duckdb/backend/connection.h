// A connection with its prepared statements, and the means to stop what it runs.
//
// Each execution has a generation number. Stop names the generation to stop and takes the connection's mutex, so that a
// late deadline or cancellation never stops the next execution on the same connection.
//
// Stop() may be called from any thread; all other methods belong to the thread that leases the connection.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_H_

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/connection_state.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::duckdb {

enum class StopReason { kNone, kCancelled, kDeadline };

// Returns OK for kNone; Cancelled; DeadlineExceeded with the reason kResourcesExceeded and `time_limit` in its message.
absl::Status StoppedStatus(StopReason reason, absl::Duration time_limit);

class Connection {
 public:
  // `states`, of the connection's database, is borrowed.
  Connection(ConnectionHandle connection, ConnectionStates* states)
      : state_(states, connection.get()), connection_(std::move(connection)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  duckdb_connection raw() const { return connection_.get(); }
  const ConnectionState& state() { return *state_; }

  // Returns the statement that was prepared from `sql`, if its plan is right for the rows of this stamp; otherwise nullptr.
  // Borrowed until the next Prepare.
  duckdb_prepared_statement FindPrepared(const std::string& sql, const DataVersion::Stamp& stamp);
  // Prepares `sql` anew and caches it with `stamp`, which must have been read before the open transaction began.
  absl::StatusOr<duckdb_prepared_statement> Prepare(const std::string& sql, const DataVersion::Stamp& stamp);

  // Begins an execution and returns its generation. `sources` may be nullptr; it is borrowed until End.
  uint64_t Begin(SourceRun* sources = nullptr);
  // Ends the execution: a later Stop() for it has no effect.
  void End();
  // Interrupts the execution if `generation` is still running. The first reason is kept.
  void Stop(uint64_t generation, StopReason reason);
  // Why the current generation was stopped, or kNone.
  StopReason stop_reason() const;

 private:
  // Limits the cached plans, each of which takes some 100 KB.
  static constexpr size_t kMaxStatements = 32;
  struct Prepared {
    std::string sql;
    DataVersion::Stamp stamp;
    StatementHandle statement;
    bool is_planned_anew = false;  // by each execution, with the statistics of the rows that it reads
  };
  using Statements = std::list<Prepared>;

  ConnectionStates::Entry state_;
  ConnectionHandle connection_;
  Statements statements_;  // the most recently used first
  // The keys are views of the list's texts.
  absl::flat_hash_map<std::string_view, Statements::iterator> by_sql_;

  mutable absl::Mutex mutex_;
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;  // odd while an execution runs
  StopReason reason_ ABSL_GUARDED_BY(mutex_) = StopReason::kNone;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_H_
