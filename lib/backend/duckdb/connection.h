// One connection as executions use it: its prepared statements, and the means to stop what it runs.
//
// An execution has a generation. Stopping names the generation that is meant and happens under the connection's mutex, so
// that a deadline or a cancellation that comes late never hits the next execution on the same connection.
//
// Stop() may be called from any thread; everything else belongs to the thread that has the connection.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_H_

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/connection_state.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"

namespace logquery::duckdb {

enum class StopReason { kNone, kCancelled, kDeadline };

class Connection {
 public:
  // `states`, of its database, is borrowed.
  Connection(ConnectionHandle connection, ConnectionStates* states)
      : state_(states, connection.get()), connection_(std::move(connection)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  duckdb_connection raw() const { return connection_.get(); }

  // The statement that was prepared from `sql` under this stamp; nullptr when there is none. Borrowed until the next
  // Prepare.
  duckdb_prepared_statement FindPrepared(const std::string& sql, const DataVersion::Stamp& stamp);
  // Prepares `sql` anew and keeps it under `stamp`, which was read before the transaction that is open began.
  absl::StatusOr<duckdb_prepared_statement> Prepare(const std::string& sql, const DataVersion::Stamp& stamp);

  // Begins an execution; returns its generation. `sources`, which may be nullptr, is borrowed until End.
  uint64_t Begin(SourceRun* sources = nullptr);
  // Ends it: no Stop() that names it does anything from here on.
  void End();
  // Interrupts what runs if `generation` still does. The first reason counts.
  void Stop(uint64_t generation, StopReason reason);
  // Why this generation was stopped, if it was.
  StopReason stop_reason() const;

 private:
  // A plan of DuckDB's takes some 100 KB.
  static constexpr size_t kMaxStatements = 32;
  struct Prepared {
    std::string sql;
    DataVersion::Stamp stamp;
    StatementHandle statement;
  };
  using Statements = std::list<Prepared>;

  ConnectionStates::Entry state_;
  ConnectionHandle connection_;
  Statements statements_;  // the one used last first
  // Views of the list's own texts.
  absl::flat_hash_map<std::string_view, Statements::iterator> by_sql_;

  mutable absl::Mutex mutex_;
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;  // odd while an execution runs
  StopReason reason_ ABSL_GUARDED_BY(mutex_) = StopReason::kNone;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_CONNECTION_H_
