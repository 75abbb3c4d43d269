// A folder of logs: its contents, the version that wrote it, and the process that holds it.
//
//   FORMAT        the version of this layout
//   logs.duckdb   the database; logs.duckdb.wal and logs.duckdb.rollback belong to it
//   owner         locked by the process that has the folder open; holds the writer's pid and command
//   rejected/     rows that loads rejected
//   tmp/          the engine's spill files, copies of input
#ifndef LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_
#define LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

class DataFolder {
 public:
  // 3: each change of rows is recorded by project; earlier versions would not. 2: tables may have learned columns; format
  // 1 has none. Older formats become the newest when the folder is opened for writing.
  static constexpr int kFormat = 3;

  // Opens the folder; creates it if it is absent, unless `read_only`. While the DataFolder lives, no process (including
  // this one) can open the folder for writing; if it is open for writing, nobody else can open it at all. NotFound
  // (read_only). FailedPrecondition: another process holds it, it has a newer format, it is a backup, or not a folder.
  // PermissionDenied, ResourceExhausted.
  static absl::StatusOr<DataFolder> Open(const std::string& path, bool read_only);

  // Opens the folder for inspection: creates, removes and writes nothing. FailedPrecondition, in addition: `alone` is
  // set, and another process has it open.
  static absl::StatusOr<DataFolder> OpenToCheck(const std::string& path, bool alone);
  // Opens the folder exclusively for a restore: it must be absent, empty, or left by an incomplete restore, whose files
  // are removed. Until FinishRestore nothing else can open it. FailedPrecondition, in addition: it has any other
  // content.
  static absl::StatusOr<DataFolder> OpenToRestore(const std::string& path);
  // Makes it a folder of logs with this format.
  absl::Status FinishRestore(int format);
  // Removes everything that OpenToRestore and the restore created.
  absl::Status UndoRestore();

  DataFolder(DataFolder&&) = default;
  DataFolder& operator=(DataFolder&&) = delete;
  ~DataFolder();

  const std::string& path() const { return path_; }
  bool read_only() const { return read_only_; }
  std::string database_file() const { return path_ + "/logs.duckdb"; }
  // The engine's write-ahead log: commits since the last checkpoint.
  std::string log_file() const { return database_file() + ".wal"; }
  std::string rejected_folder() const { return path_ + "/rejected"; }
  std::string temporary_folder() const { return path_ + "/tmp"; }

 private:
  DataFolder(std::string path, bool read_only, File owner)
      : path_(std::move(path)), read_only_(read_only), owner_(std::move(owner)) {}

  absl::Status WriteOwner() const;

  std::string path_;
  bool read_only_;
  File owner_;  // holds the lock
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_
