// The files that a data folder keeps for good, and so its backups have.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FOLDER_FILES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FOLDER_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::duckdb {

inline constexpr std::string_view kDatabaseName = "logs.duckdb";
inline constexpr std::string_view kRejectedName = "rejected";

// "logs.duckdb", what the engine has beside it, such as "logs.duckdb.wal", and published files in "rejected/". No such
// name leads out of the folder.
bool IsFileOfFolder(std::string_view name);

struct FolderFiles {
  std::vector<std::string> kept;    // those, in order
  std::vector<std::string> others;  // what else there is, without "." and ".."
};

// NotFound: no folder there; PermissionDenied, Internal.
absl::StatusOr<FolderFiles> ListFolder(const std::string& path);

// Removes the kept files, and the folder "rejected" if that is empty then. Internal: some can't be.
absl::Status RemoveKeptFiles(const std::string& path);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FOLDER_FILES_H_
