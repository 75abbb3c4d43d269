// Makes backups of an open folder; include/logquery/store/backup.h says what they are.
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
#include "lib/backend/duckdb/handles.h"
#include "lib/store/folder/backup_manifest.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/durable_file.h"
#include "logquery/store/backup.h"

namespace logquery::store {

// Each table that the books know, with its rows.
absl::StatusOr<std::vector<BackupManifest::Table>> CountTables(duckdb_connection connection);

// Thread-safe. To be destroyed after the database is closed: the engine's lock on its file, as locks of fcntl() are, would
// go with the first descriptor of that file that this process closes.
class BackupMaker {
 public:
  // Calls what it is given, with a connection, while nothing is committed to the folder nor written to its files.
  using Hold = absl::FunctionRef<absl::Status(absl::FunctionRef<absl::Status(duckdb_connection)>)>;

  // `folder` is borrowed.
  explicit BackupMaker(const DataFolder* folder) : folder_(folder) {}
  // DuckDbBackend::Backup's statuses.
  absl::StatusOr<BackupReport> Make(const BackupRequest& request, Hold hold);

 private:
  // The files of the database as they are now, copied to the folder `target`, by name.
  using Copies = std::vector<std::pair<std::string, File>>;
  absl::StatusOr<Copies> CopyDatabase(const std::string& target, const GoOn& go_on)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // All of the backup but its manifest, which is returned.
  absl::StatusOr<BackupManifest> Fill(const std::string& target, const GoOn& go_on, Hold hold, BackupReport* report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<int> OpenDatabase() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const DataFolder* const folder_;
  absl::Mutex mutex_;  // one backup at a time
  File database_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_BACKUP_H_
