// Finds the project of a rejected row as far as possible: a rejected row need not be JSON.
//
//     ProjectRows rows("abc", {"project"});
//     rows.WhoseIs(R"({"project":"abc","timestamp":"x"})", R"({"reason":"…"})");   // kProject
#ifndef LOGQUERY_LIB_STORE_LOAD_PROJECT_ROWS_H_
#define LOGQUERY_LIB_STORE_LOAD_PROJECT_ROWS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/model/schema_file.h"

namespace logquery::store {

class ProjectRows {
 public:
  enum class Whose { kProject, kOthers, kUnknown };

  // `path` leads to the project in the table's rows; empty: no field of them says it.
  ProjectRows(std::string project, model::FieldPath path) : project_(std::move(project)), path_(std::move(path)) {}

  // `reason` is the row's line of the file of reasons. The project's: the row names it, a token of the project has sent it, or
  // no project can be read from it and its text contains the project's name as a word.
  Whose WhoseIs(std::string_view row, std::string_view reason) const;

 private:
  const std::string project_;
  const model::FieldPath path_;
};

struct SiftedRows {
  int64_t removed = 0;  // of the project
  int64_t unknown = 0;  // that stay, and may be of the project
};

// Reads the two files line by line, of each file no more than so many bytes, and gives `keep` each pair that is not the project's.
// A file that is not there has no lines.
struct RejectedLines {
  std::string rows;  // paths
  std::string reasons;
  int64_t row_bytes;
  int64_t reason_bytes;
};
absl::StatusOr<SiftedRows> SiftRejected(
    const RejectedLines& lines, const ProjectRows& project,
    absl::FunctionRef<absl::Status(std::string_view row, std::string_view reason)> keep);

// Removes the project's rows from the files of one load, `name` in `folder`, by writing both files again and renaming
// them. A dry run only counts.
absl::StatusOr<SiftedRows> EraseRejected(const std::string& folder, const std::string& name, const ProjectRows& project,
                                         bool dry_run);

// Must be called when a folder is opened: completes or undoes an EraseRejected that a crash interrupted.
absl::Status SettleErased(const std::string& folder);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_PROJECT_ROWS_H_
