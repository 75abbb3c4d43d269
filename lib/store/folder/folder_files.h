// The files that a data folder keeps for good, and so its backups have; and that nothing in it is a symbolic link, which
// could lead what reads, writes and removes its files to others.
#ifndef LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_
#define LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::store {

inline constexpr std::string_view kDatabaseName = "logs.duckdb";
inline constexpr std::string_view kRejectedName = "rejected";

// "logs.duckdb", what the engine has beside it, such as "logs.duckdb.wal", and published files in "rejected/". No such
// name leads out of the folder.
bool IsFileOfFolder(std::string_view name);

struct FolderFiles {
  std::vector<std::string> kept;    // those, in order
  std::vector<std::string> others;  // what else there is, without "." and ".."
};

// A "rejected" that is a symbolic link is one of the others. NotFound: no folder there; PermissionDenied, Internal.
absl::StatusOr<FolderFiles> ListFolder(const std::string& path);

// Removes the kept files, and the folder "rejected" if that is empty then. Internal: some can't be.
absl::Status RemoveKeptFiles(const std::string& path);

// FailedPrecondition: a file or folder that a data folder is made of is a symbolic link; the message says which. The folder
// itself may be one.
absl::Status CheckNoLinks(const std::string& path);

// Symbolic links anywhere in the folder, by their paths in it, in order. None is followed.
std::vector<std::string> LinksBelow(const std::string& path);

// Makes a folder inside a data folder or spool, with mode 0700, unless it is there. FailedPrecondition: something else has
// its name, such as a symbolic link.
absl::Status MakeInnerFolder(const std::string& path);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_
