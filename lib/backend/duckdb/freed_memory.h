// Gives back to the system what the engine's allocator keeps of memory that queries let go of.
//
// A query that is ended at its limits leaves up to some hundred MiB that the engine does not count any more and the
// system does not have yet: the next one could take the whole limit beside them. DuckDB gives everything back when its
// memory limit is set, which the log database's locked settings don't allow. But the allocator is one for all databases
// of a process (measured with 1.4.4: 250 MiB in 10 to 40 ms), so an empty one of its own, without anyone's SQL, does.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FREED_MEMORY_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FREED_MEMORY_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/handles.h"

namespace logquery::duckdb {

class FreedMemory {
 public:
  // Without effect where the empty database can't be opened: what is kept is used again before more is taken.
  void GiveBack();

 private:
  bool Open() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  // In the order in which they may go.
  DatabaseHandle database_ ABSL_GUARDED_BY(mutex_);
  ConnectionHandle connection_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FREED_MEMORY_H_
