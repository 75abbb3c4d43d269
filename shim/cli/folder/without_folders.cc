// Stands in for folder.cc and loading.cc where logquery is built without DuckDB: each command says so.
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/forget_field.h"
#include "shim/cli/folder/loading.h"

namespace logquery::shim {
namespace {

absl::Status NoFolders() {
  return absl::UnimplementedError(
      "this logquery is built without the engine duckdb, so it can't open data folders; use one that is built with "
      "LOGQUERY_WITH_DUCKDB=ON");
}

}  // namespace

absl::StatusOr<std::string> FolderStats(const std::string&) { return NoFolders(); }
absl::StatusOr<std::string> BackUpFolder(const std::string&, const std::string&) { return NoFolders(); }
absl::StatusOr<int64_t> ClusterFolder(const std::string&, PackedRecords,
                                      const std::function<void(const std::string&)>&) {
  return NoFolders();
}
absl::StatusOr<std::string> EraseInFolder(const std::string&, const ProjectToErase&) { return NoFolders(); }
absl::StatusOr<std::string> ForgetInFolder(const ForgetFieldArguments&) { return NoFolders(); }
absl::StatusOr<std::string> CheckDataFolder(const std::string&, bool, bool) { return NoFolders(); }
absl::StatusOr<Restored> RestoreFolder(const std::string&, const std::string&) { return NoFolders(); }
absl::StatusOr<Exported> ExportLogs(const ExportJob&) { return NoFolders(); }
absl::Status LoadLogs(const LoadJob&, LoadTotals&) { return NoFolders(); }
FolderActions ActionsOn(DuckDbBackend&, const std::string&) { return {}; }

}  // namespace logquery::shim
