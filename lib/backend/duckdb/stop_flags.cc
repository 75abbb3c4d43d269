#include "lib/backend/duckdb/stop_flags.h"

namespace logquery::duckdb {
namespace {

idx_t IdOf(duckdb_connection connection) {
  duckdb_client_context context = nullptr;
  duckdb_connection_get_client_context(connection, &context);
  const idx_t id = duckdb_client_context_get_connection_id(context);
  duckdb_destroy_client_context(&context);
  return id;
}

}  // namespace

StopFlags::Entry::Entry(StopFlags* owner, duckdb_connection connection) : owner_(owner), connection_(IdOf(connection)) {
  absl::MutexLock lock(&owner_->mutex_);
  owner_->flags_[connection_] = &flag_;
}

StopFlags::Entry::~Entry() {
  absl::MutexLock lock(&owner_->mutex_);
  owner_->flags_.erase(connection_);
}

const StopFlag* StopFlags::Find(duckdb_client_context context) const {
  absl::MutexLock lock(&mutex_);
  const auto found = flags_.find(duckdb_client_context_get_connection_id(context));
  return found == flags_.end() ? nullptr : found->second;
}

}  // namespace logquery::duckdb
