// Opens the spool in the data folder first, then the further ones, the receiver and maintenance.
#include "lib/serving/store/folder_work.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

namespace fs = std::filesystem;

// The spool's place, as programs that load into a folder know it.
std::string SpoolIn(const std::string& data_folder) { return data_folder + "/spool"; }

absl::StatusOr<std::vector<std::string>> LogsOf(DuckDbBackend& backend) {
  std::vector<std::string> logs;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  for (const Table& table : catalog.tables()) {
    if (!table.log.empty()) logs.push_back(table.log);
  }
  return logs;
}

absl::Status OpenSpools(DuckDbBackend& backend, const DeploymentOptions& options, FolderWork& work) {
  std::vector<std::string> folders = {SpoolIn(options.backend.folder)};
  folders.insert(folders.end(), options.spools.begin(), options.spools.end());
  SpoolOptions spool;
  spool.log = options.log;
  LOGQUERY_ASSIGN_OR_RETURN(spool.logs, LogsOf(backend));
  for (const std::string& folder : folders) {
    spool.folder = folder;
    LOGQUERY_ASSIGN_OR_RETURN(work.spools.emplace_back(), Spool::Open(spool, &backend.store()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FolderWork> OpenFolderWork(DuckDbBackend& backend, const DeploymentOptions& options) {
  FolderWork work;
  LOGQUERY_RETURN_IF_ERROR(OpenSpools(backend, options, work));
  if (options.receiver.has_value()) {
    LogReceiverOptions receiver = *options.receiver;
    if (!receiver.declare) {
      receiver.declare = [&backend, folder = options.backend.folder](const std::string& source,
                                                                     const std::string& json) {
        return DeclareLogs(backend, folder, source, json);
      };
    }
    LOGQUERY_ASSIGN_OR_RETURN(work.receiver, LogReceiver::Create(&backend, std::move(receiver)));
  }
  MaintenanceOptions maintenance = options.maintenance.value_or(MaintenanceOptions());
  if (!maintenance.log) maintenance.log = options.log;
  LOGQUERY_ASSIGN_OR_RETURN(work.maintenance, Maintenance::Create(&backend, std::move(maintenance)));
  return work;
}

absl::Status DeclareLogs(DuckDbBackend& backend, const std::string& data_folder, const std::string& source,
                         const std::string& json) {
  LOGQUERY_RETURN_IF_ERROR(backend.DeclareLogs(source, json));
  std::error_code error;
  if (!fs::is_directory(SpoolIn(data_folder), error)) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<std::string> logs, LogsOf(backend));
  for (const std::string& log : logs) {
    const std::string folder = base::StrCat(SpoolIn(data_folder), "/", log);
    fs::create_directory(folder, error);
    if (error) return absl::UnavailableError(base::StrCat("can't make the folder ", folder, ": ", error.message()));
  }
  return absl::OkStatus();
}

}  // namespace logquery::serving
