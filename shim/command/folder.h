// What can be done with a data folder beside loading into it and asking it, by who holds it and by commands. Whose folder
// it is, compose_folder.cc knows.
#ifndef LOGQUERY_SHIM_COMMAND_FOLDER_H_
#define LOGQUERY_SHIM_COMMAND_FOLDER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::shim {

// Where programs put logs that the folder's server is to load.
inline std::string SpoolIn(const std::string& data_folder) { return data_folder + "/spool"; }

// Asked now and then: whether nobody wants the outcome any more.
using GiveUp = std::function<bool()>;

struct ProjectToErase {
  std::string project;
  bool dry_run = false;
  CancellationToken cancellation = {};
};

// Each returns JSON, as the command's --format json prints it.
struct FolderActions {
  std::function<absl::StatusOr<std::string>()> stats;
  std::function<absl::StatusOr<std::string>(const std::string& target, const GiveUp& give_up)> backup;
  std::function<absl::StatusOr<std::string>(bool read_rows)> check;
  std::function<absl::StatusOr<std::string>(const ProjectToErase& erased)> erase;
};

// On `folder`, which is open. `backend` is borrowed.
FolderActions ActionsOn(DuckDbBackend& backend, const std::string& folder);

// On a folder that no server holds: opens it for reading. OpenDuckDb's statuses, and the action's.
absl::StatusOr<std::string> FolderStats(const std::string& folder);
absl::StatusOr<std::string> BackUpFolder(const std::string& folder, const std::string& target);

// On a folder that no server holds, and for good: closed days are put in the order of projects. `on_day` is told of each.
// How many rows were written anew. OpenDuckDb's and LogStore::Cluster's statuses.
absl::StatusOr<int64_t> ClusterFolder(const std::string& folder, const std::function<void(const std::string&)>& on_day);

// On a folder that no server holds: what waits in its spool is loaded first, unless this is a dry run. OpenDuckDb's and
// LogStore::Erase's statuses.
absl::StatusOr<std::string> EraseInFolder(const std::string& folder, const ProjectToErase& erased);

// CheckFolder's statuses.
absl::StatusOr<std::string> CheckDataFolder(const std::string& folder, bool repair, bool read_rows);

struct ExportJob {
  std::string folder;
  std::string target;
  std::vector<std::string> logs;
  std::optional<absl::CivilDay> from;
  std::optional<absl::CivilDay> to;
  std::string database;
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
// RestoreBackup's statuses.
absl::StatusOr<Restored> RestoreFolder(const std::string& backup, const std::string& folder);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_FOLDER_H_
