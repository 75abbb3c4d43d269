// Checks whether a data folder is consistent, and repairs what it can without changing a row.
//
//     for (const FolderFinding& finding : *CheckFolder({.folder = "data"})) …
//
// Checks the folder's format and permissions; the database and its tables against the schema and the records of loads;
// these records against the rows; files that killed processes left behind; and what needs an operator's attention.
#ifndef LOGQUERY_STORE_FOLDER_CHECK_H_
#define LOGQUERY_STORE_FOLDER_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery {

struct FolderFinding {
  enum class Kind {
    kNote,     // no action is needed
    kWarning,  // should be looked at; no row is in danger
    kError,    // rows are missing, duplicated or unreadable, or the folder can't be used
  };
  Kind kind = Kind::kNote;
  std::string what;
  std::string to_do;  // empty: no action is needed
  bool repaired = false;
};

struct FolderCheckOptions {
  std::string folder = {};
  std::string schema_json = {};  // as in DuckDbOptions
  bool repair = false;           // deletes leftover files, and creates columns that the schema has and the folder lacks
  bool read_rows = false;        // reads every value of every row, which finds damage anywhere
};

// Returns the findings, the worst first; an empty list means that all is well. Requires that no process has the folder
// open for writing; the process that does uses DuckDbBackend::Check instead. With `repair`, no other process may have
// it open at all. NotFound: no such folder. FailedPrecondition: another process has it open, or it is a backup.
// PermissionDenied: the folder can't be read.
absl::StatusOr<std::vector<FolderFinding>> CheckFolder(const FolderCheckOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_FOLDER_CHECK_H_
