// Converts a single parameter's text to its value, for parameters that callers send.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// Returns whether texts can be converted to this type.
bool IsParameterType(const Type& type);

// Converts `text`, which is not empty, to the parameter's type. InvalidArgument, with ErrorDetails::parameter: the text
// is too long, is not UTF-8, is not one of the allowed texts, does not parse as the type, is a number outside of the
// parameter's range, or is not a valid RE2 pattern where one is required.
absl::StatusOr<Value> ParseParameter(const Parameter& parameter, std::string_view text);

// Returns InvalidArgument with `problem` and the parameter's name, also in ErrorDetails::parameter.
absl::Status ParameterError(std::string_view name, std::string_view problem);

// Returns "from 1 to 100", "at least 1" or "at most 100", for a parameter with a minimum or maximum.
std::string RangeText(const Parameter& parameter);

// Returns "one of a, b, c".
std::string OneOf(const std::vector<std::string>& allowed);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PARAMETER_TEXT_H_
