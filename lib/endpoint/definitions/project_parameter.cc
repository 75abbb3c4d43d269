// Looks the parameter up by its name.
#include "logquery/project_parameter.h"

#include "logquery/query_service.h"

namespace logquery {

const Parameter* ProjectParameter(const Endpoint& definition) {
  const Parameter* parameter = definition.FindParameter("project");
  return parameter != nullptr && !parameter->is_pattern ? parameter : nullptr;
}

std::optional<std::string> OtherScope(const Principal& principal, const Endpoint& definition,
                                      const QueryRequest& request) {
  if (!principal.project_scope || ProjectParameter(definition) == nullptr) return std::nullopt;
  for (const auto& [name, text] : request.parameters) {
    if (name == "project" && !text.empty() && text != *principal.project_scope) return principal.project_scope;
  }
  return std::nullopt;
}

}  // namespace logquery
