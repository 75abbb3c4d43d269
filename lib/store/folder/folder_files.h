// The permanent files of a data folder, which are also in its backups. None of the folder's files may be a symbolic
// link, which could redirect reads, writes and deletions to other files.
#ifndef LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_
#define LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::store {

inline constexpr std::string_view kDatabaseName = "logs.duckdb";
inline constexpr std::string_view kRejectedName = "rejected";

// Returns true for "logs.duckdb", the engine's companion files, such as "logs.duckdb.wal", and published files in
// "rejected/". No such name leads out of the folder.
bool IsFileOfFolder(std::string_view name);

struct FolderFiles {
  std::vector<std::string> kept;    // these files, in order
  std::vector<std::string> others;  // all other entries, except "." and ".."
};

// If "rejected" is a symbolic link, it is among the others. NotFound: there is no such folder. PermissionDenied,
// Internal.
absl::StatusOr<FolderFiles> ListFolder(const std::string& path);

// Removes the kept files, and the folder "rejected" if it is empty afterwards. Internal: some can't be removed.
absl::Status RemoveKeptFiles(const std::string& path);

// FailedPrecondition: a file or folder in the data folder is a symbolic link; the message names it. The data folder
// itself may be one.
absl::Status CheckNoLinks(const std::string& path);

// PermissionDenied: this process can't look into the folder, or can't read its file FORMAT; the message names what is closed.
absl::Status CheckReadable(const std::string& path);

// FailedPrecondition: the folder is a backup. Whatever opened it as a data folder would change its files, and nothing could restore
// it after that.
absl::Status CheckNoBackup(const std::string& path);

// Returns the paths of all symbolic links in the folder, relative to it and in order. None is followed.
std::vector<std::string> LinksBelow(const std::string& path);

// Creates a folder inside a data folder or spool, with mode 0700, unless it exists. FailedPrecondition: the name
// belongs to something else, such as a symbolic link.
absl::Status MakeInnerFolder(const std::string& path);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_FOLDER_FILES_H_
