// Informs ThreadSanitizer about synchronization inside DuckDB, which is not built with it. Without this, memory that
// one DuckDB thread releases and another one reuses, and rows that one thread writes and another one reads, look like
// races. Has no effect in other builds.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_MEMORY_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_MEMORY_H_

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace logquery::duckdb {

// Must live while its thread accesses the engine's vectors: these accesses are then ordered before those of later
// instances.
class EngineMemory {
 public:
#ifdef __SANITIZE_THREAD__
  EngineMemory() { __tsan_acquire(&order_); }
  ~EngineMemory() { __tsan_release(&order_); }
#else
  EngineMemory() {}   // NOLINT(modernize-use-equals-default): a variable of this type is used, not forgotten
  ~EngineMemory() {}  // NOLINT(modernize-use-equals-default)
#endif
  EngineMemory(const EngineMemory&) = delete;
  EngineMemory& operator=(const EngineMemory&) = delete;

 private:
#ifdef __SANITIZE_THREAD__
  inline static char order_ = 0;
#endif
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_MEMORY_H_
