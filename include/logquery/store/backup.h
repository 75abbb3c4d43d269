// Backups of a data folder: a snapshot that is copied while logs are loaded and queried, and its restoration.
//
//     BackupReport made = *backend->Backup({.target = "/backups/monday"});
//     RestoreReport back = *RestoreBackup({.backup = "/backups/monday", .folder = "data"});
//
//     TARGET/MANIFEST.json    lists all files with their SHA-256; written last: without it there is no backup
//     TARGET/logs.duckdb      the database and its companion files
//     TARGET/rejected/        rows that loads rejected
//
// A backup contains each file that was loaded before the snapshot, completely, and no later file. Files that wait in a
// spool are not loaded yet, so they are not in the backup.
#ifndef LOGQUERY_STORE_BACKUP_H_
#define LOGQUERY_STORE_BACKUP_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

struct BackupRequest {
  std::string target = {};  // a folder: absent, empty, or left by an incomplete backup
  CancellationToken cancellation = {};
  std::function<void()> progress = {};  // called from time to time on the calling thread; may be empty
};

struct BackupReport {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t rows = 0;
  absl::Duration held;  // how long loads were blocked; queries are never blocked
  absl::Duration time;
};

struct RestoreRequest {
  std::string backup = {};
  std::string folder = {};  // absent, empty, or left by an incomplete restore
  CancellationToken cancellation = {};
};

struct RestoreReport {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t rows = 0;
  absl::Time made_at;  // the time of the backup
  absl::Duration time;
};

// Copies the backup to the folder, verifies each file's digest, opens the database and compares its row counts. The
// folder becomes a data folder only when this returns OK.
// NotFound: there is no complete backup. FailedPrecondition: the folder is not empty, another process restores into it,
// or the backup has a newer format. DataLoss: the backup is damaged; the message says where. ResourceExhausted: the
// disk is full. Cancelled, PermissionDenied. After a failure, the copied files are removed.
absl::StatusOr<RestoreReport> RestoreBackup(const RestoreRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_BACKUP_H_
