// Reads a definition completely even if it has errors: reports all problems with their places, where Endpoint::FromJson
// reports only the first one.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_JSON_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_JSON_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct DefinitionProblem {
  bool in_query = false;  // true: in the SQL; false: in the settings
  size_t offset = 0;      // in bytes
  std::string message;
};

// Does not parse the query. If there are problems, the result contains only the valid parts.
Endpoint ReadDefinition(std::string_view json, std::string_view sql, std::vector<DefinitionProblem>& problems);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_JSON_H_
