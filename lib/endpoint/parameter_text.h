// One parameter's text to its value: what the binder does for each parameter that a caller may send.
#ifndef LOGQUERY_LIB_ENDPOINT_PARAMETER_TEXT_H_
#define LOGQUERY_LIB_ENDPOINT_PARAMETER_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// Whether texts of this type can be bound.
bool IsParameterType(const Type& type);

// `text`, which is not empty, as a value of the parameter's type. InvalidArgument with ErrorDetails::parameter: too
// long, not UTF-8, not among the allowed, not of the type, or no RE2 pattern where one is wanted.
absl::StatusOr<Value> ParseParameter(const Parameter& parameter, std::string_view text);

// InvalidArgument that says `problem` of the parameter of that name, with ErrorDetails::parameter.
absl::Status ParameterError(std::string_view name, std::string_view problem);

// "one of a, b, c".
std::string OneOf(const std::vector<std::string>& allowed);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_PARAMETER_TEXT_H_
