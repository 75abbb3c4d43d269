// The work that a deployment does in a data folder that it owns, beside answering: it loads the files of spools, receives logs,
// and maintains the folder.
#ifndef LOGQUERY_LIB_SERVING_STORE_FOLDER_WORK_H_
#define LOGQUERY_LIB_SERVING_STORE_FOLDER_WORK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/serving/deployment.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::serving {

struct FolderWork {
  std::vector<std::unique_ptr<Spool>> spools;
  std::unique_ptr<LogReceiver> receiver;  // nullptr: no logs are received
  std::unique_ptr<Maintenance> maintenance;
};

// Makes the parts without starting them. `backend` is borrowed. Statuses: those of QueryBackend::ReadCatalog, Spool::Open,
// LogReceiver::Create and Maintenance::Create.
absl::StatusOr<FolderWork> OpenFolderWork(DuckDbBackend& backend, const DeploymentOptions& options);

// Declares logs (DuckDbBackend::DeclareLogs, whose statuses it has). If the data folder has a spool, the logs get their folders in
// it. Unavailable: such a folder can't be created.
absl::Status DeclareLogs(DuckDbBackend& backend, const std::string& data_folder, const std::string& source,
                         const std::string& json);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_FOLDER_WORK_H_
