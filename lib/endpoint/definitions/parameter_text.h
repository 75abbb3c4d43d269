// Types that parameters may have, and texts for errors about them; logquery/parameter_text.h converts their texts to values.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "logquery/endpoint.h"
#include "logquery/type.h"

namespace logquery::endpoint {

// Returns whether texts can be converted to this type.
bool IsParameterType(const Type& type);

// Returns InvalidArgument with `problem` and the parameter's name, also in ErrorDetails::parameter.
absl::Status ParameterError(std::string_view name, std::string_view problem);

// Returns "from 1 to 100", "at least 1" or "at most 100", for a parameter with a minimum or maximum.
std::string RangeText(const Parameter& parameter);

// Returns "one of a, b, c".
std::string OneOf(const std::vector<std::string>& allowed);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_
