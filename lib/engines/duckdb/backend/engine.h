// The open database with everything that depends on it. It is replaced as a whole when DuckDB has shut it down.
//
// After some failures DuckDB rejects all statements until its database is reopened. A full disk during a write is one
// (measured with 1.4.4: rolling back the incomplete write is a fatal error). Committed data is not lost, so the engine
// reopens the database and continues.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/database.h"

namespace logquery::duckdb {

class Engine {
 public:
  // Objects that the engine's owner adds to each opened database, and its state for that opening.
  class Companion {
   public:
    virtual ~Companion() = default;
    // Registers the owner's functions, which may refer to this object: it outlives the database.
    virtual absl::Status Register(duckdb_connection connection) = 0;
  };
  using MakeCompanion = std::function<std::unique_ptr<Companion>()>;

  // The order of members matters: the pool must be destroyed first, and the companion last.
  struct State {
    State(std::unique_ptr<Companion> made, Database opened, int max_connections)
        : companion(std::move(made)), database(std::move(opened)), pool(&database, max_connections) {}
    const std::unique_ptr<Companion> companion;
    Database database;
    ConnectionPool pool;
  };

  // Statuses: those of Database::Open and Companion::Register. Calls `make_companion` for each opening.
  static absl::StatusOr<std::unique_ptr<Engine>> Open(const DatabaseOptions& options, int max_connections,
                                                      MakeCompanion make_companion);

  // Returns the state, which the caller must release after use. Unavailable: the database is being reopened.
  absl::StatusOr<std::shared_ptr<State>> Use();

  // To be called after a failure with the caller's `state`. If DuckDB has shut the database down, waits until the state
  // is unused, and reopens the database. Whether that succeeded shows at the next use.
  void Recover(std::shared_ptr<State> state);

 private:
  Engine(const DatabaseOptions& options, int max_connections, MakeCompanion make_companion)
      : options_(options), max_connections_(max_connections), make_companion_(std::move(make_companion)) {}
  absl::StatusOr<std::shared_ptr<State>> OpenState() const;

  const DatabaseOptions options_;
  const int max_connections_;
  const MakeCompanion make_companion_;
  absl::Mutex mutex_;
  std::shared_ptr<State> state_ ABSL_GUARDED_BY(mutex_);  // nullptr: not open
  bool opening_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration tried_ ABSL_GUARDED_BY(mutex_);  // the last attempt to open it, in monotonic time
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_H_
