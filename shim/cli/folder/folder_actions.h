// The actions on a data folder that its owner can request from the server that holds it. folder.h makes them; owner_actions.h
// makes routes of them.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_FOLDER_ACTIONS_H_
#define LOGQUERY_SHIM_CLI_FOLDER_FOLDER_ACTIONS_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/cancellation.h"

namespace logquery::shim {

// Called from time to time: returns whether the result is no longer needed.
using GiveUp = std::function<bool()>;

struct ProjectToErase {
  std::string project;
  bool dry_run = false;
  CancellationToken cancellation = {};
};

// Each returns JSON in the form of the command's --format json.
struct FolderActions {
  std::function<absl::StatusOr<std::string>()> stats;
  std::function<absl::StatusOr<std::string>(const std::string& target, const GiveUp& give_up)> backup;
  std::function<absl::StatusOr<std::string>(bool read_rows)> check;
  std::function<absl::StatusOr<std::string>(const ProjectToErase& erased)> erase;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_FOLDER_ACTIONS_H_
