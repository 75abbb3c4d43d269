// A definition read to its end, whatever is wrong with it: what Endpoint::FromJson refuses by its first problem, with all
// problems and their places.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_JSON_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_JSON_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct DefinitionProblem {
  bool in_query = false;  // in the SQL; otherwise in the settings
  size_t offset = 0;      // in bytes
  std::string message;
};

// The query is not parsed. With a problem, only what is not wrong counts in the result.
Endpoint ReadDefinition(std::string_view json, std::string_view sql, std::vector<DefinitionProblem>& problems);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_JSON_H_
