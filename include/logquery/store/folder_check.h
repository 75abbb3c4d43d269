// Looks whether a data folder is in order, and puts in order what can be without touching a row.
//
//     for (const FolderFinding& finding : *CheckFolder({.folder = "data"})) …
//
// Looked at: the folder's format and who may read it, the database and its tables against the schema and the books, the
// books of loads against the rows, what processes that were killed have left, and what waits for an operator.
#ifndef LOGQUERY_STORE_FOLDER_CHECK_H_
#define LOGQUERY_STORE_FOLDER_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery {

struct FolderFinding {
  enum class Kind {
    kNote,     // nothing has to be done
    kWarning,  // wants to be looked at; no row is in danger
    kError,    // rows are missing, doubled or can't be read, or the folder can't be used
  };
  Kind kind = Kind::kNote;
  std::string what;
  std::string to_do;  // empty: nothing
  bool repaired = false;
};

struct FolderCheckOptions {
  std::string folder = {};
  std::string schema_json = {};  // as DuckDbOptions has it
  bool repair = false;     // removes what was left over, and makes columns that the schema has and the folder lacks
  bool read_rows = false;  // reads each value of each row, so that damage is found wherever it is
};

// The findings, the worst first; none: all is well. For a folder that no process has open for writing; of one that a
// process has, DuckDbBackend::Check tells. With `repair` nobody else may have it open at all.
// NotFound: no such folder. FailedPrecondition: a process holds it.
absl::StatusOr<std::vector<FolderFinding>> CheckFolder(const FolderCheckOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_FOLDER_CHECK_H_
