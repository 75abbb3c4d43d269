// Backups of a data folder: the folder as it is at one moment, copied while logs come in and are queried, and brought back.
//
//     BackupReport made = *backend->Backup({.target = "/backups/monday"});
//     RestoreReport back = *RestoreBackup({.backup = "/backups/monday", .folder = "data"});
//
//     TARGET/MANIFEST.json    what there is, with the SHA-256 of each file; written last: without it there is no backup
//     TARGET/logs.duckdb      the database, with what it has beside it
//     TARGET/rejected/        rows that loads refused
//
// A backup has the files that were loaded before its moment, each whole, and nothing of those after it. What waits in
// a spool is not in the folder yet, and not in its backup.
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
  std::string target = {};  // a folder: absent, empty, or with what a backup has left that did not finish
  CancellationToken cancellation = {};
  std::function<void()> progress = {};  // called now and then from this thread; may be empty
};

struct BackupReport {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t rows = 0;
  absl::Duration held;  // how long loads had to wait; queries never do
  absl::Duration time;
};

struct RestoreRequest {
  std::string backup = {};
  std::string folder = {};  // absent, empty, or with what a restore has left that did not finish
  CancellationToken cancellation = {};
};

struct RestoreReport {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t rows = 0;
  absl::Time made_at;  // when the backup was
  absl::Duration time;
};

// Copies the backup to the folder, compares each file's digest, opens the database and compares its rows. The folder is one
// of logs when this returns OK, and not before.
// NotFound: no backup there that has finished. FailedPrecondition: the folder is not empty, or another process restores
// into it; the backup is of a newer format. DataLoss: the backup is damaged; the message says where. Cancelled,
// PermissionDenied, ResourceExhausted: the disk is full. After a failure nothing is left of what was copied.
absl::StatusOr<RestoreReport> RestoreBackup(const RestoreRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_BACKUP_H_
