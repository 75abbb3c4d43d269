#include "shim/command/definitions.h"

#include <iterator>
#include <utility>

#include "lib/base/status_macros.h"
#include "logquery/endpoint_folder.h"

namespace logquery::shim {

absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder) {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  if (folder.empty()) return endpoints;
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> further, ReadEndpointFolder(folder));
  std::move(further.begin(), further.end(), std::back_inserter(endpoints));
  return endpoints;
}

}  // namespace logquery::shim
