// Actions on a data folder other than loading and querying, for the process that holds it and for commands.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_FOLDER_H_
#define LOGQUERY_SHIM_CLI_FOLDER_FOLDER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "logquery/packed_records.h"
#include "shim/cli/folder/folder_actions.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::shim {

// The folder in which programs put logs for the folder's server to load.
inline std::string SpoolIn(const std::string& data_folder) { return data_folder + "/spool"; }

// For the open folder `folder`. `backend` is borrowed.
FolderActions ActionsOn(DuckDbBackend& backend, const std::string& folder);

// For a folder that no server holds: opens it for reading. Statuses: those of OpenDuckDb, and of the action.
absl::StatusOr<std::string> FolderStats(const std::string& folder);
absl::StatusOr<std::string> BackUpFolder(const std::string& folder, const std::string& target);

// For a folder that no server holds: rewrites its closed days, ordered by project. `packed`: see DuckDbOptions. Calls `on_day`
// after each day. Returns the number of rewritten rows. Statuses: those of OpenDuckDb and LogStore::Cluster.
absl::StatusOr<int64_t> ClusterFolder(const std::string& folder, PackedRecords packed,
                                      const std::function<void(const std::string&)>& on_day);

// For a folder that no server holds: loads the files in its spool first, unless this is a dry run. Statuses: those of OpenDuckDb
// and LogStore::Erase.
absl::StatusOr<std::string> EraseInFolder(const std::string& folder, const ProjectToErase& erased);

// Statuses: those of CheckFolder.
absl::StatusOr<std::string> CheckDataFolder(const std::string& folder, bool repair, bool read_rows);

struct ExportJob {
  std::string folder;
  std::string target;
  std::vector<std::string> logs;
  std::optional<absl::CivilDay> from;
  std::optional<absl::CivilDay> to;
  std::string database;
  std::string layout;
  int64_t memory_limit_bytes = 0;
  std::function<void(const std::string& name, int64_t rows, std::optional<int64_t> rows_before)> on_file;
};
struct Exported {
  int64_t files = 0;
  int64_t rows = 0;
  int64_t bytes = 0;
  int64_t kept = 0;  // files that were whole already
};
// ExportFolder's statuses.
absl::StatusOr<Exported> ExportLogs(const ExportJob& job);

struct Restored {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t rows = 0;
  absl::Time made_at;
  absl::Duration time;
};
// Statuses: those of RestoreBackup.
absl::StatusOr<Restored> RestoreFolder(const std::string& backup, const std::string& folder);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_FOLDER_H_
