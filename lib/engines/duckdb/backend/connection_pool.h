// A pool of connections that executions lease, with a maximum number of leases.
//
//     LOGQUERY_ASSIGN_OR_RETURN(ConnectionPool::Lease lease, pool.Acquire());
//     … lease->Prepare(sql) …
//     lease.Keep();  // without it the connection is closed when the lease ends
//
// Thread-safe. Leases must not outlive the pool.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_POOL_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_POOL_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/connection.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/freed_memory.h"

namespace logquery::duckdb {

class ConnectionPool {
 public:
  class Lease {
   public:
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), connection_(std::move(other.connection_)), keep_(other.keep_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (pool_ != nullptr) pool_->Return(std::move(connection_), keep_);
    }
    Connection* operator->() const { return connection_.get(); }
    const std::shared_ptr<Connection>& connection() const { return connection_; }
    // Call it when nothing is open on the connection, so that it can be reused.
    void Keep() { keep_ = true; }

   private:
    friend class ConnectionPool;
    Lease(ConnectionPool* pool, std::shared_ptr<Connection> connection)
        : pool_(pool), connection_(std::move(connection)) {}
    ConnectionPool* pool_;
    std::shared_ptr<Connection> connection_;
    bool keep_ = false;
  };

  // See Database::version().
  const DataVersion& version() const { return database_->version(); }

  // `database` is borrowed.
  ConnectionPool(const Database* database, int max_connections)
      : database_(database), max_connections_(max_connections) {}

  // Unavailable: all connections are leased.
  absl::StatusOr<Lease> Acquire();
  // Returns whether any connection is leased now.
  bool IsInUse();

 private:
  void Return(std::shared_ptr<Connection> connection, bool keep);

  const Database* const database_;
  const int max_connections_;
  FreedMemory freed_memory_;
  absl::Mutex mutex_;
  int leased_ ABSL_GUARDED_BY(mutex_) = 0;
  // The most recently returned connection is leased first: its cached statements are the most likely to be reused, and
  // its memory is warm.
  std::vector<std::shared_ptr<Connection>> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_CONNECTION_POOL_H_
