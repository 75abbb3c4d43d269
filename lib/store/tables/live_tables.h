// The tables that queries can currently read. The store updates them when a load adds fields. Projects see them with the fields
// that their own rows taught.
#ifndef LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_
#define LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/store/learn/learned_fields.h"
#include "logquery/catalog.h"

namespace logquery {
struct LearnedLog;  // store/learned_fields.h
}

namespace logquery::store {

struct LiveTable {
  Table table;  // as queries for rows of all projects see it
  // The table without its learned columns, and these columns; nullptr: every project sees the same.
  struct Parts {
    Table declared;
    LearnedTable learned;
  };
  std::shared_ptr<const Parts> parts = nullptr;
};

// `declared` is the table without learned columns.
LiveTable MakeLiveTable(const Table& declared, const LearnedTable& learned);

// Thread-safe.
class LiveTables {
 public:
  Catalog Read() const;
  // Returns the tables as queries for rows of this project see them.
  Catalog ReadFor(std::string_view project) const;
  // See ReadLearnedLogs.
  std::vector<LearnedLog> ReadLearned() const;
  // Changes whenever Read() may return another catalog.
  uint64_t version() const { return version_.load(); }
  // Returns the table's data for execution, without its columns; the name is empty if there is no such table.
  Table FindForTimes(std::string_view name) const;

  void Set(std::vector<LiveTable> tables);
  // Replaces the table with this name, or appends it.
  void Put(Table table);
  // Returns whether there was such a table.
  bool Remove(std::string_view name);
  // Replaces the tables if `commit` succeeds, which updates the database. Until then Read() waits, but version() has
  // already changed: a caller whose query failed, and whose plan has another version, plans it again.
  absl::Status PutWith(std::vector<LiveTable> tables, absl::FunctionRef<absl::Status()> commit);

 private:
  bool RemoveLocked(std::string_view name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::atomic<uint64_t> version_{1};
  mutable absl::Mutex mutex_;
  std::vector<LiveTable> tables_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_LIVE_TABLES_H_
