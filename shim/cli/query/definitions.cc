// Merges the built-in definitions with those of a folder.
#include "shim/cli/query/definitions.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/definitions/replace_definitions.h"
#include "logquery/endpoint_folder.h"

namespace logquery::shim {

std::vector<Endpoint> BuiltInDefinitions(bool built_in) {
  return built_in ? Endpoint::BuiltIn() : std::vector<Endpoint>();
}

absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder) {
  if (folder.empty()) return Endpoint::BuiltIn();
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> own, ReadEndpointFolder(folder));
  return endpoint::ReplaceDefinitions(Endpoint::BuiltIn(), std::move(own));
}

}  // namespace logquery::shim
