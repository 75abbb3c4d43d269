// A folder of logs: what is in it, which version wrote it, and who holds it.
//
//   FORMAT        the version of this layout
//   logs.duckdb   the database
//   owner         locked by whoever has the folder open; holds the writer's pid and command
//   rejected/     rows that loads refused
//   tmp/          the engine's spill, copies of input
#ifndef LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_
#define LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

class DataFolder {
 public:
  // 2: tables may have learned columns. Format 1 is one without, and becomes 2 when it is opened for writing.
  static constexpr int kFormat = 2;

  // Made when it is absent, unless `read_only`. While the DataFolder lives, no other process (nor this one again) opens
  // the folder for writing; none at all does when this is for writing.
  // NotFound (read_only), FailedPrecondition: held, a newer format, no folder; PermissionDenied, ResourceExhausted.
  static absl::StatusOr<DataFolder> Open(const std::string& path, bool read_only);

  // The same to look at it: nothing in it is made, removed or written. FailedPrecondition also: it can't be held alone.
  static absl::StatusOr<DataFolder> OpenToCheck(const std::string& path, bool alone);
  // The same for a restore, which has the folder alone: it is absent, empty, or what a restore has left that did not
  // finish, and that goes. Until FinishRestore it opens for nothing else.
  // FailedPrecondition also: there is anything else in the folder.
  static absl::StatusOr<DataFolder> OpenToRestore(const std::string& path);
  // From here on it is a folder of logs, of that format.
  absl::Status FinishRestore(int format);
  // Takes back what OpenToRestore and the restore made.
  absl::Status UndoRestore();

  DataFolder(DataFolder&&) = default;
  DataFolder& operator=(DataFolder&&) = delete;
  ~DataFolder();

  const std::string& path() const { return path_; }
  bool read_only() const { return read_only_; }
  std::string database_file() const { return path_ + "/logs.duckdb"; }
  // The engine's log of what was committed since its last checkpoint.
  std::string log_file() const { return database_file() + ".wal"; }
  std::string rejected_folder() const { return path_ + "/rejected"; }
  std::string temporary_folder() const { return path_ + "/tmp"; }

 private:
  DataFolder(std::string path, bool read_only, File owner)
      : path_(std::move(path)), read_only_(read_only), owner_(std::move(owner)) {}

  absl::Status WriteOwner() const;

  std::string path_;
  bool read_only_;
  File owner_;  // its lock goes with it
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DATA_FOLDER_H_
