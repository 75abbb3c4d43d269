// Data folders of the isolation checks: the caller's own rows alone, or the same rows among hidden ones, in the same tables,
// segments and dictionaries.
//
//     absl::StatusOr<std::unique_ptr<LogFolder>> shared = LogFolder::Make({.hidden = Hidden::kOtherProject});
//     (*shared)->path();      // to be opened with SchemaText()
#ifndef LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_
#define LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

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
  static absl::StatusOr<std::unique_ptr<LogFolder>> Make(const FolderPlan& plan);
  ~LogFolder();
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;

  std::string path() const { return (folder_ / "data").string(); }

 private:
  explicit LogFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  absl::Status Fill(const FolderPlan& plan);

  const std::filesystem::path folder_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_LOG_FOLDER_H_
