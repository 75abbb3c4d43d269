// Restores a backup; include/logquery/store/backup.h describes the steps.
#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/folder/backup.h"
#include "lib/store/folder/backup_manifest.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/durable_file.h"
#include "lib/store/folder/folder_files.h"
#include "lib/store/rows/row_batch.h"
#include "lib/store/spool/spool_folder.h"
#include "logquery/clock.h"
#include "logquery/store/backup.h"

namespace logquery {
namespace store {
namespace {

constexpr size_t kMaxManifest = 64 << 20;

absl::Status Damaged(const std::string& backup, std::string_view what) {
  return absl::DataLossError(base::StrCat("the backup ", backup, " is damaged: ", what));
}

// Checks what can be checked without reading all of the backup.
absl::Status CheckFiles(const std::string& backup, const BackupManifest& manifest) {
  struct stat rejected;
  if (lstat(base::StrCat(backup, "/", kRejectedName).c_str(), &rejected) == 0 && !S_ISDIR(rejected.st_mode)) {
    return Damaged(backup, base::StrCat(kRejectedName, " is no folder"));
  }
  for (const BackupManifest::File& file : manifest.files) {
    struct stat info;
    if (lstat(base::StrCat(backup, "/", file.name).c_str(), &info) != 0) {
      return Damaged(backup, base::StrCat(file.name, " is not there"));
    }
    if (!S_ISREG(info.st_mode)) return Damaged(backup, base::StrCat(file.name, " is no plain file"));
    if (info.st_size != file.bytes) {
      return Damaged(backup, base::StrCat(file.name, " has ", base::Counted(info.st_size, "byte"),
                                          ", its manifest says ", file.bytes));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<BackupManifest> ReadManifest(const std::string& backup) {
  const absl::StatusOr<std::string> text = ReadWhole(base::StrCat(backup, "/", kManifestName), kMaxManifest);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(base::StrCat(backup, " holds no backup that is finished: it has no ", kManifestName));
  }
  if (!text.ok()) return text.status();
  absl::StatusOr<BackupManifest> manifest = BackupManifest::Parse(*text);
  if (absl::IsDataLoss(manifest.status())) return Damaged(backup, base::Message(manifest.status()));
  LOGQUERY_RETURN_IF_ERROR(manifest.status());
  if (manifest->folder_format > DataFolder::kFormat) {
    return absl::FailedPreconditionError(base::StrCat(
        "the backup ", backup, " is of a folder of a newer logquery: its format is ", manifest->folder_format,
        ", this version reads format ", DataFolder::kFormat, ". Use the newer version."));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckFiles(backup, *manifest));
  return manifest;
}

absl::Status CopyFiles(const RestoreRequest& request, const BackupManifest& manifest) {
  const GoOn go_on = [&request] {
    return request.cancellation.IsCancelled() ? absl::CancelledError("the restore was cancelled") : absl::OkStatus();
  };
  for (const BackupManifest::File& file : manifest.files) {
    LOGQUERY_ASSIGN_OR_RETURN(
        const CopiedFile copied,
        CopyDurably(base::StrCat(request.backup, "/", file.name), base::StrCat(request.folder, "/", file.name), go_on));
    if (copied.sha256 != file.sha256 || copied.bytes != file.bytes) {
      return Damaged(request.backup,
                     base::StrCat(file.name, " has the SHA-256 ", copied.sha256, ", its manifest says ", file.sha256));
    }
  }
  return absl::OkStatus();
}

// Opening it also puts what was in its log file where it belongs.
absl::Status CheckRows(const std::string& backup, const DataFolder& folder, const BackupManifest& manifest) {
  duckdb::DatabaseOptions options;
  options.file = folder.database_file();
  options.row_group_rows = kRowGroupRows;
  const absl::StatusOr<duckdb::Database> database = duckdb::Database::Open(options);
  if (!database.ok()) return Damaged(backup, base::Message(database.status()));
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, database->Connect());
  const absl::StatusOr<std::vector<BackupManifest::Table>> tables = CountTables(connection.get());
  if (!tables.ok()) return Damaged(backup, base::Message(tables.status()));
  if (*tables == manifest.tables) return absl::OkStatus();
  return Damaged(backup, "its tables have other rows than its manifest says");
}

}  // namespace
}  // namespace store

absl::StatusOr<RestoreReport> RestoreBackup(const RestoreRequest& request) {
  const absl::Duration start = Clock::Real()->Monotonic();
  LOGQUERY_ASSIGN_OR_RETURN(const store::BackupManifest manifest, store::ReadManifest(request.backup));
  LOGQUERY_ASSIGN_OR_RETURN(store::DataFolder folder, store::DataFolder::OpenToRestore(request.folder));
  absl::Cleanup undo = [&folder] { folder.UndoRestore().IgnoreError(); };
  LOGQUERY_RETURN_IF_ERROR(store::CopyFiles(request, manifest));
  LOGQUERY_RETURN_IF_ERROR(store::CheckRows(request.backup, folder, manifest));
  LOGQUERY_RETURN_IF_ERROR(folder.FinishRestore(manifest.folder_format));
  std::move(undo).Cancel();
  RestoreReport report;
  report.files = static_cast<int64_t>(manifest.files.size());
  report.bytes = manifest.bytes();
  report.rows = manifest.rows();
  report.made_at = manifest.made_at;
  report.time = Clock::Real()->Monotonic() - start;
  return report;
}

}  // namespace logquery
