// First reserves a slot, then takes an idle connection or opens a new one in that slot.
#include "lib/engines/postgres/backend/connection_pool.h"

#include "absl/time/clock.h"
#include "lib/backend/circuit_breaker.h"
#include "lib/base/strings.h"

namespace logquery::postgres {
namespace {

// The interval at which a wait for a connection checks whether its call is to end.
constexpr absl::Duration kLook = absl::Milliseconds(10);

}  // namespace

absl::StatusOr<ConnectionPool::Lease> ConnectionPool::Take(const StopEvent& stop) {
  const absl::Time deadline = absl::Now() + options_.connect_timeout;
  {
    absl::MutexLock lock(&mutex_);
    while (!mutex_.AwaitWithTimeout(absl::Condition(this, &ConnectionPool::HasRoom), kLook)) {
      if (stop.IsSet()) return absl::CancelledError("the query wants no more rows");
      if (absl::Now() >= deadline) {
        return backend::Busy(
            options_.max_connections == 1
                ? std::string("the only connection to PostgreSQL is in use; try again")
                : base::StrCat("all ", options_.max_connections, " connections to PostgreSQL are in use; try again"));
      }
    }
    ++in_use_;
  }
  while (true) {
    std::unique_ptr<Connection> idle;
    {
      absl::MutexLock lock(&mutex_);
      if (idle_.empty()) break;
      idle = std::move(idle_.back());
      idle_.pop_back();
    }
    if (idle->IsUsable()) return Lease(this, std::move(idle), false);
  }
  absl::StatusOr<std::unique_ptr<Connection>> opened = Connection::Open(options_, stop);
  if (opened.ok()) return Lease(this, *std::move(opened), true);
  Return(nullptr);
  return opened.status();
}

void ConnectionPool::Return(std::unique_ptr<Connection> connection) {
  const bool usable = connection != nullptr && connection->IsUsable();
  absl::MutexLock lock(&mutex_);
  --in_use_;
  if (usable) idle_.push_back(std::move(connection));
}

void ConnectionPool::CloseIdle() {
  std::vector<std::unique_ptr<Connection>> closed;
  absl::MutexLock lock(&mutex_);
  closed.swap(idle_);
}

}  // namespace logquery::postgres
