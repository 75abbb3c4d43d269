// Statistics of a data folder, whether or not a server holds it.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_FOLDER_STATS_H_
#define LOGQUERY_SHIM_CLI_FOLDER_FOLDER_STATS_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery::shim {

// Returns FolderStats' JSON, from the server that holds the folder or from the folder itself. Statuses: those of
// AskServer and FolderStats.
absl::StatusOr<std::string> ReadFolderStats(const std::string& folder);

// Returns the declared logs, and those that the folder has of its own from earlier declarations. A folder that is not there has
// none.
absl::StatusOr<Catalog> LogsOfFolder(const Catalog& declared, const std::string& folder);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_FOLDER_STATS_H_
