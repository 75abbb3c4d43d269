// Reads the field `parameters` of a definition. endpoint_json.cc shows its form.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_JSON_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_JSON_H_

#include <vector>

#include "lib/base/json_fields.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Problems are added to those of `fields`.
std::vector<Parameter> ReadParameters(base::JsonFields& fields);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_JSON_H_
