// At most so many connections, kept from one query to the next.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_POOL_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_POOL_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/postgres/connection.h"

namespace logquery::postgres {

// Thread-safe. Outlives its leases.
class ConnectionPool {
 public:
  explicit ConnectionPool(PostgresOptions options) : options_(std::move(options)) {}

  // A connection for one statement; it goes back, if it is still of use, when the lease ends.
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
    // It was opened for this lease: what fails on it is no leftover.
    bool is_new() const { return is_new_; }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;
    const bool is_new_;
  };

  // Waits for one, no longer than the connect timeout: two parts of a query each have one, so that waiting without end could be
  // for oneself. Unavailable: all are in use, or the server can't be reached. Cancelled. Connection::Open's.
  absl::StatusOr<Lease> Take(const StopEvent& stop);
  // The idle ones are closed: the server has restarted.
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

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_POOL_H_
