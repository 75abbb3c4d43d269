// The declarations of a folder's tables: the built-in logs, and the operator's own logs. The folder stores the latter,
// so that every command finds them. Declarations may be added while the folder is open.
#ifndef LOGQUERY_LIB_STORE_TABLES_FOLDER_SCHEMA_H_
#define LOGQUERY_LIB_STORE_TABLES_FOLDER_SCHEMA_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/model/schema_file.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {

struct FolderSchema {
  model::SchemaFile base;            // the built-in logs, or those that replace them
  model::SchemaFile own;             // the operator's own
  std::vector<TableLayout> layouts;  // of both, in this order

  // Returns the layout of the table or log with this name; nullptr: there is none.
  const TableLayout* Find(std::string_view name) const;
};

// The current schema, replaced as a whole. Thread-safe.
class LiveSchema {
 public:
  std::shared_ptr<const FolderSchema> Read() const {
    absl::MutexLock lock(&mutex_);
    return schema_;
  }
  void Set(std::shared_ptr<const FolderSchema> schema) {
    absl::MutexLock lock(&mutex_);
    schema_ = std::move(schema);
  }

 private:
  mutable absl::Mutex mutex_;
  std::shared_ptr<const FolderSchema> schema_ ABSL_GUARDED_BY(mutex_);
};

// Combines `base` and `own` with additions and changes in `declared`. A column of `own` that `declared` lacks stays.
// InvalidArgument: a name in `declared` is already used.
absl::StatusOr<std::shared_ptr<const FolderSchema>> MakeFolderSchema(model::SchemaFile base, model::SchemaFile own,
                                                                     const model::SchemaFile& declared);

// Returns the own logs that the folder has stored; older folders have none. FailedPrecondition: one of them has the
// name of a log that is now built in.
absl::StatusOr<model::SchemaFile> ReadOwnLogs(duckdb_connection connection);

// Stores the declarations of `own` that have changed, in `connection`'s open transaction.
absl::Status WriteOwnLogs(duckdb_connection connection, const model::SchemaFile& own);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_FOLDER_SCHEMA_H_
