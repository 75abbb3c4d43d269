// The open database with all that hangs on it, replaced as a whole when DuckDB has shut it down.
//
// After some failures DuckDB refuses everything until its database is opened again: a disk that is full while rows are
// written is one (measured with 1.4.4: rolling back what was half written is a fatal error). Nothing of what was
// committed is lost, so the engine is opened again, and reading goes on.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/connection_pool.h"
#include "lib/backend/duckdb/database.h"

namespace logquery::duckdb {

class Engine {
 public:
  // What the engine's owner adds to each database that is opened, and what it knows of that opening alone.
  class Companion {
   public:
    virtual ~Companion() = default;
    // Registers functions of the owner's, which may refer to this: it outlives the database.
    virtual absl::Status Register(duckdb_connection connection) = 0;
  };
  using MakeCompanion = std::function<std::unique_ptr<Companion>()>;

  // In the order in which they may go.
  struct State {
    State(std::unique_ptr<Companion> made, Database opened, int max_connections)
        : companion(std::move(made)), database(std::move(opened)), pool(&database, max_connections) {}
    const std::unique_ptr<Companion> companion;
    Database database;
    ConnectionPool pool;
  };

  // Database::Open's statuses, and those of Companion::Register. `make_companion` is called for each opening.
  static absl::StatusOr<std::unique_ptr<Engine>> Open(const DatabaseOptions& options, int max_connections,
                                                      MakeCompanion make_companion);

  // What is to be kept while it is used, and no longer. Unavailable: it is being opened again.
  absl::StatusOr<std::shared_ptr<State>> Use();

  // To be called after a failure, with the caller's own `state`: if DuckDB has shut it down, waits until nobody uses it,
  // and opens the database again. Whether that worked shows when it is used.
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
  absl::Duration tried_ ABSL_GUARDED_BY(mutex_);  // when it was last opened, on the monotonic clock
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_H_
