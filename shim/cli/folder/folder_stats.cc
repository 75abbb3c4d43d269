// Requests the statistics from the folder's server if there is one.
#include "shim/cli/folder/folder_stats.h"

#include <optional>
#include <utility>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/local_client.h"

namespace logquery::shim {

absl::StatusOr<std::string> ReadFolderStats(const std::string& folder) {
  HttpRequest request;
  request.method = "GET";
  request.path = "/stats";
  if (std::optional<absl::StatusOr<std::string>> answer = AskOwner(folder, request)) return *std::move(answer);
  return FolderStats(folder);
}

absl::StatusOr<Catalog> LogsOfFolder(const Catalog& declared, const std::string& folder) {
  const absl::StatusOr<std::string> stats = ReadFolderStats(folder);
  if (absl::IsNotFound(stats.status())) return declared;  // it is not there yet
  if (!stats.ok()) return stats.status();
  LOGQUERY_ASSIGN_OR_RETURN(const base::Json json, base::ParseJson("the statistics", *stats));
  std::vector<Table> tables = declared.tables();
  for (const base::Json& stored : json.at("tables")) {
    Table table;
    table.name = stored.at("table").get<std::string>();
    table.log = stored.at("log").get<std::string>();
    if (declared.Find(table.name) == nullptr) tables.push_back(std::move(table));
  }
  return Catalog(std::move(tables), declared.revision());
}

}  // namespace logquery::shim
