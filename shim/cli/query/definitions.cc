// Merges the built-in definitions with those of a folder.
#include "shim/cli/query/definitions.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/definitions/replace_definitions.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/endpoint_folder.h"

namespace logquery::shim {

std::vector<Endpoint> BuiltInDefinitions(bool built_in) {
  return built_in ? Endpoint::BuiltIn() : std::vector<Endpoint>();
}

absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder, const std::string& schema) {
  std::vector<Endpoint> own;
  if (!folder.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(own, ReadEndpointFolder(folder));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::OwnLogsFile logs, endpoint::ReadOwnLogsFile(schema, folder));
  LOGQUERY_RETURN_IF_ERROR(endpoint::AddOwnLogsEndpoint(logs, {}, own).status());
  return endpoint::ReplaceDefinitions(Endpoint::BuiltIn(), std::move(own));
}

}  // namespace logquery::shim
