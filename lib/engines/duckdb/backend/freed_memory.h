// Returns memory that queries have freed from the engine's allocator to the system.
//
// A query that ends at its limits leaves up to some hundred MiB that the engine no longer counts but has not returned;
// the next query could use the whole limit in addition. DuckDB returns all freed memory when its memory limit is set,
// which the locked settings of the log database forbid. But all databases of a process share one allocator (measured
// with 1.4.4: 250 MiB in 10 to 40 ms), so this class uses an empty database of its own, which runs no caller's SQL.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FREED_MEMORY_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FREED_MEMORY_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::duckdb {

class FreedMemory {
 public:
  // Has no effect if the empty database can't be opened: the allocator reuses freed memory before it requests more.
  void GiveBack();

 private:
  bool Open() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  // The order of members matters: the connection must be destroyed before the database.
  DatabaseHandle database_ ABSL_GUARDED_BY(mutex_);
  ConnectionHandle connection_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FREED_MEMORY_H_
