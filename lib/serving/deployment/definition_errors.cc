// Runs the check of definitions, and keeps its errors.
#include "lib/serving/deployment/definition_errors.h"

#include <utility>

#include "lib/base/strings.h"

namespace logquery::serving {

std::vector<endpoint::Finding> DefinitionErrors(const std::string& folder, const std::string& schema,
                                                const std::vector<Endpoint>& built_in, Catalog catalog) {
  absl::StatusOr<endpoint::DefinitionCheck> check =
      endpoint::CheckDefinitionFolder(folder, built_in, std::move(catalog), schema);
  if (!check.ok()) return {};
  std::vector<endpoint::Finding> errors = std::move(check->findings);
  std::erase_if(errors,
                [](const endpoint::Finding& finding) { return finding.kind != endpoint::Finding::Kind::kError; });
  return errors;
}

absl::Status WithDefinitionErrors(const absl::Status& status, const std::string& folder,
                                  const std::vector<endpoint::Finding>& errors) {
  if (errors.empty()) return status;
  std::string message = base::StrCat("the definitions in ", folder, " have ", errors.size(),
                                     errors.size() == 1 ? " error" : " errors", "\n");
  for (const endpoint::Finding& error : errors) message += endpoint::FindingText(error);
  message.pop_back();
  return absl::Status(status.code(), message);
}

}  // namespace logquery::serving
