// The connections' states, by the engine's connection ids.
#include "lib/engines/duckdb/backend/connection_state.h"

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

ConnectionStates::Entry::Entry(ConnectionStates* owner, duckdb_connection connection)
    : owner_(owner), connection_(IdOf(connection)) {
  absl::MutexLock lock(&owner_->mutex_);
  owner_->states_[connection_] = &state_;
}

ConnectionStates::Entry::~Entry() {
  absl::MutexLock lock(&owner_->mutex_);
  owner_->states_.erase(connection_);
}

const ConnectionState* ConnectionStates::Find(duckdb_client_context context) const {
  absl::MutexLock lock(&mutex_);
  const auto found = states_.find(duckdb_client_context_get_connection_id(context));
  return found == states_.end() ? nullptr : found->second;
}

}  // namespace logquery::duckdb
