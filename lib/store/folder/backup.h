// Creates backups of an open folder; include/logquery/store/backup.h describes them.
#ifndef LOGQUERY_LIB_STORE_FOLDER_BACKUP_H_
#define LOGQUERY_LIB_STORE_FOLDER_BACKUP_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/folder/backup_manifest.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/durable_file.h"
#include "logquery/store/backup.h"

namespace logquery::store {

// Returns each table in the store's records, with its number of rows.
absl::StatusOr<std::vector<BackupManifest::Table>> CountTables(duckdb_connection connection);

// Thread-safe. Must be destroyed after the database is closed: the engine locks its file with fcntl(), and such a lock
// is lost when this process closes any descriptor of the file.
class BackupMaker {
 public:
  // Calls its argument, with a connection, while nothing is committed to the folder or written to its files.
  using Hold = absl::FunctionRef<absl::Status(absl::FunctionRef<absl::Status(duckdb_connection)>)>;

  // `folder` is borrowed.
  explicit BackupMaker(const DataFolder* folder) : folder_(folder) {}
  // Statuses: those of DuckDbBackend::Backup.
  absl::StatusOr<BackupReport> Make(const BackupRequest& request, Hold hold);

 private:
  // Copies of the database's current files in the folder `target`, by name.
  using Copies = std::vector<std::pair<std::string, File>>;
  absl::StatusOr<Copies> CopyDatabase(const std::string& target, const GoOn& go_on)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Writes all of the backup except its manifest, which it returns.
  absl::StatusOr<BackupManifest> Fill(const std::string& target, const GoOn& go_on, Hold hold, BackupReport* report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<int> OpenDatabase() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const DataFolder* const folder_;
  absl::Mutex mutex_;  // one backup at a time
  File database_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_BACKUP_H_
