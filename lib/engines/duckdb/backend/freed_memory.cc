// Sets the memory limit of an empty in-memory database, which makes the shared allocator return freed memory.
#include "lib/engines/duckdb/backend/freed_memory.h"

#include <utility>

namespace logquery::duckdb {

bool FreedMemory::Open() {
  ConfigHandle config;
  if (duckdb_create_config(config.out()) != DuckDBSuccess) return false;
  for (const auto& [name, value] : {std::pair("threads", "1"), std::pair("memory_limit", "8MB")}) {
    if (duckdb_set_config(config.get(), name, value) != DuckDBSuccess) return false;
  }
  return duckdb_open_ext(nullptr, database_.out(), config.get(), nullptr) == DuckDBSuccess &&
         duckdb_connect(database_.get(), connection_.out()) == DuckDBSuccess;
}

void FreedMemory::GiveBack() {
  absl::MutexLock lock(&mutex_);
  if (!connection_ && !Open()) return;
  duckdb_query(connection_.get(), "SET memory_limit = '8MB'", nullptr);
}

}  // namespace logquery::duckdb
