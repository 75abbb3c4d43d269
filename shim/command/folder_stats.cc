// Requests the statistics from the folder's server if there is one.
#include "shim/command/folder_stats.h"

#include <optional>

#include "shim/command/folder.h"
#include "shim/command/local_client.h"

namespace logquery::shim {

absl::StatusOr<std::string> ReadFolderStats(const std::string& folder) {
  HttpRequest request;
  request.method = "GET";
  request.path = "/stats";
  if (std::optional<absl::StatusOr<std::string>> answer = AskOwner(folder, request)) return *std::move(answer);
  return FolderStats(folder);
}

}  // namespace logquery::shim
