// Data folders of the isolation checks: the caller's own rows alone, or the same rows among hidden ones, in the same tables,
// segments and dictionaries.
//
//     absl::StatusOr<std::unique_ptr<LogFolder>> shared = LogFolder::Make({.hidden = Hidden::kOtherProject});
//     Reader::Open({.folder = (*shared)->path()});
//
// A folder's rows are compressed when it is checkpointed. OpenFlat gives the same rows before that: the engine then has no
// dictionaries to evaluate functions on.
#ifndef LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_
#define LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::isolation {

// The call's now: two days after the rows' day, which is closed, so that the store may cluster it.
absl::Time CallTime();
// Own rows are later than this; those of Hidden::kOutsideWindow are not.
absl::Time WindowStart();

// Why the caller may not read the rows that lie beside the own ones.
enum class Hidden {
  kNone,           // there are none
  kOtherProject,   // they are of another project, of the same times
  kOutsideWindow,  // they are of the caller's own project, before WindowStart()
};

struct FolderPlan {
  Hidden hidden = Hidden::kNone;
  int64_t own_rows = 9'000;
  int64_t hidden_rows = 6'000;  // spread evenly among the own ones
  int loads = 2;                // files, each checkpointed after it is loaded
  bool clustered = false;
  std::string address = "10.20.30.40";  // that every row has in one column
};

class LogFolder {
 public:
  // Within `root`, a folder that is there; empty: the system's folder for temporary files. A folder that a process before
  // this one has made of the same plan in `root` is taken as it is.
  static absl::StatusOr<std::unique_ptr<LogFolder>> Make(const FolderPlan& plan, const std::string& root = "");
  // The rows loaded and not checkpointed, with the backend that holds them; `plan` has fewer than 20,000. In `root`, where that
  // is given, the folder is new, and is left to whoever removes that.
  static absl::StatusOr<std::unique_ptr<LogFolder>> MakeFlat(const FolderPlan& plan, const std::string& root = "");
  ~LogFolder();
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;

  std::string path() const { return (folder_ / "data").string(); }
  // The backend of MakeFlat, which has the rows; it can be taken once.
  std::unique_ptr<DuckDbBackend> TakeBackend() { return std::move(backend_); }

 private:
  LogFolder(std::filesystem::path folder, bool kept) : folder_(std::move(folder)), kept_(kept) {}
  absl::Status Open();
  absl::Status Fill(const FolderPlan& plan);
  absl::Status Load(const FolderPlan& plan, int load);

  const std::filesystem::path folder_;
  const bool kept_;  // not removed at the end: it is in the caller's folder
  std::unique_ptr<DuckDbBackend> backend_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_
