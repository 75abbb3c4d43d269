// A limited number of connections that are reused between queries.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_POOL_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_POOL_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/postgres/backend/connection.h"

namespace logquery::postgres {

// Thread-safe. Must outlive its leases.
class ConnectionPool {
 public:
  explicit ConnectionPool(PostgresOptions options) : options_(std::move(options)) {}

  // A connection for one statement. At the end of the lease it returns to the pool if it can be reused.
  class Lease {
   public:
    Lease(ConnectionPool* pool, std::unique_ptr<Connection> connection, bool is_new)
        : pool_(pool), connection_(std::move(connection)), is_new_(is_new) {}
    ~Lease() {
      if (pool_ != nullptr) pool_->Return(std::move(connection_));
    }
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          connection_(std::move(other.connection_)),
          is_new_(other.is_new_) {}
    Lease& operator=(Lease&&) = delete;

    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }
    // Returns whether the connection was opened for this lease, so that a failure is not caused by an earlier use.
    bool is_new() const { return is_new_; }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;
    const bool is_new_;
  };

  // Waits for a connection no longer than the connect timeout: two parts of one query each hold one, so an unlimited
  // wait could be a deadlock. Unavailable: all are in use, or the server can't be reached. Cancelled. Also the statuses
  // of Connection::Open.
  absl::StatusOr<Lease> Take(const StopEvent& stop);
  // Closes the idle connections, because the server has restarted.
  void CloseIdle();

 private:
  void Return(std::unique_ptr<Connection> connection);
  bool HasRoom() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return in_use_ < options_.max_connections; }

  const PostgresOptions options_;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ ABSL_GUARDED_BY(mutex_);
  int in_use_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_POOL_H_
