// The tables that queries can read, as they are now: the store changes them while a load learns of new fields.
#ifndef LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_
#define LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Thread-safe.
class LiveTables {
 public:
  Catalog Read() const;
  // Another number as soon as Read() may give another catalog.
  uint64_t version() const { return version_.load(); }
  // What an execution needs of the table, without its columns; its name is empty where there is none.
  Table FindForTimes(std::string_view name) const;

  void Set(std::vector<Table> tables);
  // In the place of the one of its name, or after all others.
  void Put(Table table);
  // Whether there was one of that name.
  bool Remove(std::string_view name);
  // Puts the tables if `commit` succeeds, which makes the database agree with them. Until then Read() waits, and version() is
  // another one already: who sees that a query failed, and that the version is not that of its plan, plans it again.
  absl::Status PutWith(std::vector<Table> tables, absl::FunctionRef<absl::Status()> commit);

 private:
  bool RemoveLocked(std::string_view name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::atomic<uint64_t> version_{1};
  mutable absl::Mutex mutex_;
  std::vector<Table> tables_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_
