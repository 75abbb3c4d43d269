// Copies a folder while it is in use: a snapshot of the tables, then the other files.
#include "lib/store/folder/backup.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/folder/folder_files.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

// A locked file that exists while a backup is being made: a second backup into the same folder is rejected.
constexpr char kUnfinished[] = "UNFINISHED";

bool Has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The folder that a backup is written to. An unfinished backup is removed.
class Target {
 public:
  static absl::StatusOr<Target> Open(const std::string& path) {
    if (path.empty()) return absl::InvalidArgumentError("a backup wants a folder to go into");
    Target target(path);
    target.made_ = mkdir(path.c_str(), 0700) == 0;
    if (!target.made_ && errno == ENOENT) {
      return absl::NotFoundError(base::StrCat("there is no folder ", std::filesystem::path(path).parent_path().string(),
                                              " to put the backup ", path, " into; create it first"));
    }
    if (!target.made_ && errno != EEXIST) return ErrnoStatus(errno, path);
    LOGQUERY_ASSIGN_OR_RETURN(const FolderFiles before, ListFolder(path));
    const bool left_over = Has(before.others, kUnfinished);
    if (!left_over) LOGQUERY_RETURN_IF_ERROR(CheckEmpty(path, before, ""));
    LOGQUERY_RETURN_IF_ERROR(target.Lock());
    // Another backup may have come and gone meanwhile.
    LOGQUERY_ASSIGN_OR_RETURN(const FolderFiles files, ListFolder(path));
    target.is_ours_ = !Has(files.others, kManifestName);
    if (!left_over || !target.is_ours_) LOGQUERY_RETURN_IF_ERROR(CheckEmpty(path, files, kUnfinished));
    LOGQUERY_RETURN_IF_ERROR(RemoveKeptFiles(path));
    return target;
  }

  Target(Target&&) = default;
  Target& operator=(Target&&) = delete;
  ~Target() {
    if (!lock_.is_open() || !is_ours_) return;
    RemoveKeptFiles(path_).IgnoreError();
    for (const char* name : {kManifestName, kUnfinished}) unlink(base::StrCat(path_, "/", name).c_str());
    if (made_) rmdir(path_.c_str());
  }

  const std::string& path() const { return path_; }

  absl::Status Finish(const BackupManifest& manifest) {
    LOGQUERY_RETURN_IF_ERROR(SyncFolder(path_));
    LOGQUERY_RETURN_IF_ERROR(WriteDurably(base::StrCat(path_, "/", kManifestName), manifest.ToJson()));
    is_ours_ = false;
    unlink(base::StrCat(path_, "/", kUnfinished).c_str());
    return SyncFolder(path_);
  }

 private:
  explicit Target(std::string path) : path_(std::move(path)) {}

  // Checks that the folder is empty except for `except`.
  static absl::Status CheckEmpty(const std::string& path, const FolderFiles& files, std::string_view except) {
    if (Has(files.others, kManifestName)) return absl::FailedPreconditionError(path + " holds a backup already");
    const bool is_empty = files.kept.empty() && std::all_of(files.others.begin(), files.others.end(),
                                                            [&](const std::string& name) { return name == except; });
    if (is_empty) return absl::OkStatus();
    return absl::FailedPreconditionError(path + " is not empty: a backup goes into a new folder");
  }

  absl::Status Lock() {
    const std::string name = base::StrCat(path_, "/", kUnfinished);
    File file(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.is_open()) return ErrnoStatus(errno, name);
    if (flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
      return absl::FailedPreconditionError(base::StrCat("another process is making a backup in ", path_));
    }
    LOGQUERY_RETURN_IF_ERROR(WriteAll(file.fd(), "a backup that is not finished; it may be removed\n", name));
    lock_ = std::move(file);
    return absl::OkStatus();
  }

  std::string path_;
  bool made_ = false;
  bool is_ours_ = true;
  File lock_;
};

// Copies the published rows that loads rejected, which never change. Files that are removed meanwhile are left out.
absl::Status CopyRejected(const std::string& folder, const std::string& target, const std::vector<std::string>& names,
                          const GoOn& go_on, BackupManifest* manifest) {
  if (names.empty()) return absl::OkStatus();
  const std::string to = base::StrCat(target, "/", kRejectedName);
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(to));
  for (const std::string& name : names) {
    const std::string from = base::StrCat(folder, "/", name);
    if (access(from.c_str(), F_OK) != 0 && errno == ENOENT) continue;
    LOGQUERY_ASSIGN_OR_RETURN(CopiedFile copied, CopyDurably(from, base::StrCat(target, "/", name), go_on));
    manifest->files.push_back({name, copied.bytes, std::move(copied.sha256)});
  }
  return SyncFolder(to);
}

absl::StatusOr<std::vector<std::string>> RejectedFiles(const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(FolderFiles files, ListFolder(folder));
  std::vector<std::string> rejected;
  for (std::string& name : files.kept) {
    if (name.find('/') != std::string::npos) rejected.push_back(std::move(name));
  }
  return rejected;
}

}  // namespace

absl::StatusOr<std::vector<BackupManifest::Table>> CountTables(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::Transaction one_moment, duckdb::Transaction::Begin(connection));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows names,
      duckdb::Query(connection, "SELECT DISTINCT table_name FROM logquery.columns ORDER BY table_name"));
  std::vector<BackupManifest::Table> tables;
  for (const std::vector<std::string>& name : names) {
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows count,
        duckdb::Query(connection, base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(name[0]))));
    BackupManifest::Table table{name[0]};
    if (count.empty() || !absl::SimpleAtoi(count[0][0], &table.rows)) return absl::InternalError("no number of rows");
    tables.push_back(std::move(table));
  }
  return tables;
}

absl::StatusOr<BackupReport> BackupMaker::Make(const BackupRequest& request, Hold hold) {
  absl::MutexLock lock(&mutex_);
  const absl::Duration start = Clock::Real()->Monotonic();
  const GoOn go_on = [&request] {
    if (request.progress) request.progress();
    return request.cancellation.IsCancelled() ? absl::CancelledError("the backup was cancelled") : absl::OkStatus();
  };
  LOGQUERY_ASSIGN_OR_RETURN(Target target, Target::Open(request.target));
  BackupReport report;
  LOGQUERY_ASSIGN_OR_RETURN(const BackupManifest manifest, Fill(target.path(), go_on, hold, &report));
  LOGQUERY_RETURN_IF_ERROR(target.Finish(manifest));
  report.files = static_cast<int64_t>(manifest.files.size());
  report.bytes = manifest.bytes();
  report.rows = manifest.rows();
  report.time = Clock::Real()->Monotonic() - start;
  return report;
}

absl::StatusOr<BackupManifest> BackupMaker::Fill(const std::string& target, const GoOn& go_on, Hold hold,
                                                 BackupReport* report) {
  BackupManifest manifest;
  manifest.folder_format = DataFolder::kFormat;
  std::vector<std::string> rejected;
  Copies copies;
  // Only the parts that must be consistent are copied while the folder is held. The bytes are read back and flushed to
  // the disk afterwards.
  LOGQUERY_RETURN_IF_ERROR(hold([&](duckdb_connection connection) -> absl::Status {
    const absl::Duration start = Clock::Real()->Monotonic();
    manifest.made_at = Clock::Real()->Now();
    LOGQUERY_ASSIGN_OR_RETURN(manifest.tables, CountTables(connection));
    LOGQUERY_ASSIGN_OR_RETURN(rejected, RejectedFiles(folder_->path()));
    mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(copies, CopyDatabase(target, go_on));
    report->held = Clock::Real()->Monotonic() - start;
    return absl::OkStatus();
  }));
  for (const auto& [name, file] : copies) {
    LOGQUERY_ASSIGN_OR_RETURN(CopiedFile copied, SyncAndDigest(file, name, go_on));
    manifest.files.push_back({name, copied.bytes, std::move(copied.sha256)});
  }
  LOGQUERY_RETURN_IF_ERROR(CopyRejected(folder_->path(), target, rejected, go_on, &manifest));
  return manifest;
}

absl::StatusOr<BackupMaker::Copies> BackupMaker::CopyDatabase(const std::string& target, const GoOn& go_on) {
  LOGQUERY_ASSIGN_OR_RETURN(const FolderFiles files, ListFolder(folder_->path()));
  Copies copies;
  for (const std::string& name : files.kept) {
    if (name.find('/') != std::string::npos) continue;
    const std::string from = base::StrCat(folder_->path(), "/", name);
    File opened;
    int fd = -1;
    if (name == kDatabaseName) {
      LOGQUERY_ASSIGN_OR_RETURN(fd, OpenDatabase());
    } else {
      opened = File(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
      if (!opened.is_open()) return ErrnoStatus(errno, from);
      fd = opened.fd();
    }
    const std::string to = base::StrCat(target, "/", name);
    File file(open(to.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return ErrnoStatus(errno, to);
    LOGQUERY_RETURN_IF_ERROR(CloneOrCopy(fd, file.fd(), to, go_on));
    copies.emplace_back(name, std::move(file));
  }
  return copies;
}

absl::StatusOr<int> BackupMaker::OpenDatabase() {
  if (!database_.is_open()) {
    database_ = File(open(folder_->database_file().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!database_.is_open()) return ErrnoStatus(errno, folder_->database_file());
  }
  return database_.fd();
}

}  // namespace logquery::store
