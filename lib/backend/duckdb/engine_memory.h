// Tells ThreadSanitizer what it can't see: DuckDB, which is not built with it, orders what is done with its vectors. Memory
// that one of its threads let go and another one has next, and rows that one thread made and another one reads, look like
// races otherwise. In any other build this is nothing.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_MEMORY_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_MEMORY_H_

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace logquery::duckdb {

// Lives while its thread reads or writes vectors of the engine: what it did there happened before whatever a later one does.
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

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_MEMORY_H_
