// Leases an idle connection if there is one, otherwise a new one.
#include "lib/engines/duckdb/backend/connection_pool.h"

#include "absl/status/status.h"

namespace logquery::duckdb {

absl::StatusOr<ConnectionPool::Lease> ConnectionPool::Acquire() {
  {
    absl::MutexLock lock(&mutex_);
    if (leased_ >= max_connections_) return absl::UnavailableError("too many queries are running");
    ++leased_;
    if (!idle_.empty()) {
      Lease lease(this, std::move(idle_.back()));
      idle_.pop_back();
      return lease;
    }
  }
  // The lease is given back as nothing, should there be no connection.
  Lease lease(this, nullptr);
  absl::StatusOr<ConnectionHandle> handle = database_->Connect();
  if (!handle.ok()) return handle.status();
  lease.connection_ = std::make_shared<Connection>(*std::move(handle), &database_->connection_states());
  return lease;
}

bool ConnectionPool::IsInUse() {
  absl::MutexLock lock(&mutex_);
  return leased_ > 0;
}

void ConnectionPool::Return(std::shared_ptr<Connection> connection, bool keep) {
  // The connection is closed outside the lock, because this takes a while if a stream is open. An execution that ended
  // early may have used much memory, which is given back.
  if (!keep) {
    connection.reset();
    freed_memory_.GiveBack();
  }
  absl::MutexLock lock(&mutex_);
  --leased_;
  if (keep) idle_.push_back(std::move(connection));
}

}  // namespace logquery::duckdb
