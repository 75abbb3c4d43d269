// Merges the built-in definitions with those of a folder.
#include "shim/cli/query/definitions.h"

#include <sstream>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/definitions/replace_definitions.h"
#include "logquery/endpoint_folder.h"
#include "shim/cli/options/findings.h"

namespace logquery::shim {

std::vector<Endpoint> BuiltInDefinitions(bool built_in) {
  return built_in ? Endpoint::BuiltIn() : std::vector<Endpoint>();
}

absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder) {
  if (folder.empty()) return Endpoint::BuiltIn();
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> own, ReadEndpointFolder(folder));
  return endpoint::ReplaceDefinitions(Endpoint::BuiltIn(), std::move(own));
}

std::vector<endpoint::Finding> DefinitionErrors(const std::string& folder, const std::string& schema, bool built_in,
                                                Catalog catalog) {
  absl::StatusOr<endpoint::DefinitionCheck> check =
      endpoint::CheckDefinitionFolder(folder, BuiltInDefinitions(built_in), std::move(catalog), schema);
  if (!check.ok()) return {};
  std::vector<endpoint::Finding> errors = std::move(check->findings);
  std::erase_if(errors,
                [](const endpoint::Finding& finding) { return finding.kind != endpoint::Finding::Kind::kError; });
  return errors;
}

absl::Status WithDefinitionErrors(const absl::Status& status, const std::string& folder,
                                  const std::vector<endpoint::Finding>& errors) {
  if (errors.empty()) return status;
  std::ostringstream text;
  text << "the definitions in " << folder << " have " << errors.size() << (errors.size() == 1 ? " error" : " errors")
       << "\n";
  for (const endpoint::Finding& error : errors) PrintFinding(error, text);
  std::string message = std::move(text).str();
  message.pop_back();
  return absl::Status(status.code(), message);
}

}  // namespace logquery::shim
