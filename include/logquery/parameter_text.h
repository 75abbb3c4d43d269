// Converts one parameter's text to its value, as ParameterBinder does for each parameter of a call: for programs that check or
// show single values, such as a default or a value that a token is to fix.
//
//     absl::StatusOr<Value> value = ParseParameter(*endpoint.FindParameter("limit"), "100");
//
// Thread-safe.
#ifndef LOGQUERY_PARAMETER_TEXT_H_
#define LOGQUERY_PARAMETER_TEXT_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"
#include "logquery/value.h"

namespace logquery {

// Converts `text`, which is not empty, to the parameter's type. InvalidArgument, with ErrorDetails::parameter: the text
// is too long, is not UTF-8, is not one of the allowed texts, does not parse as the type, is a number outside of the
// parameter's range, or is not a valid RE2 pattern where one is required.
absl::StatusOr<Value> ParseParameter(const Parameter& parameter, std::string_view text);

}  // namespace logquery

#endif  // LOGQUERY_PARAMETER_TEXT_H_
