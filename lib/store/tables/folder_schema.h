// What a folder's tables are declared as: the built-in logs, and logs of the operator's own, whose declarations the folder's books
// keep, so that every command finds them. New ones may come while the folder is open.
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
#include "lib/backend/duckdb/handles.h"
#include "lib/model/schema_file.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {

struct FolderSchema {
  model::SchemaFile base;            // the built-in logs, or those that stand in for them
  model::SchemaFile own;             // the operator's
  std::vector<TableLayout> layouts;  // of both, in this order

  // The layout of the table or log of that name; nullptr: there is none.
  const TableLayout* Find(std::string_view name) const;
};

// The schema as it is now, replaced as a whole. Thread-safe.
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

// `base`, what `own` has, and what `declared` adds to that or changes of it.
// InvalidArgument: a name of `declared` is taken. FailedPrecondition: `declared` lacks a column that `own` has.
absl::StatusOr<std::shared_ptr<const FolderSchema>> MakeFolderSchema(model::SchemaFile base, model::SchemaFile own,
                                                                     const model::SchemaFile& declared);

// The logs of its own that the folder's books have. A folder of before there were any has none.
// FailedPrecondition: one of them has the name of a log that is built in by now.
absl::StatusOr<model::SchemaFile> ReadOwnLogs(duckdb_connection connection);

// Within the transaction that `connection` has open: books what `own` declares, where it is not booked so.
absl::Status WriteOwnLogs(duckdb_connection connection, const model::SchemaFile& own);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_FOLDER_SCHEMA_H_
