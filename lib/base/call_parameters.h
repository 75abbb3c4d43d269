// Parses the parameters of a call from its URL and its body.
//
// Strict where leniency would be a guess: a percent sign without two digits, a duplicate name, or a value that is not a
// scalar is an error that names it. Thread-safe.
#ifndef LOGQUERY_LIB_BASE_CALL_PARAMETERS_H_
#define LOGQUERY_LIB_BASE_CALL_PARAMETERS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/parameter_binder.h"

namespace logquery::base {

// The limit per call, because names are looked up one by one.
inline constexpr size_t kMaxParameters = 1'000;

// Returns InvalidArgument "parameter NAME WHAT", with the parameter in its details.
absl::Status WrongParameter(std::string_view name, std::string_view what);

// Parses "a=1&b=x%20y", in order; `+` is a space (ParseTimestamp accepts an offset whose + became one).
// InvalidArgument: a bad escape, a duplicate name, or more than kMaxParameters.
absl::StatusOr<ParameterTexts> ParseQueryString(std::string_view query);

// Adds the members of a JSON object to `texts`: strings as they are, numbers and booleans as text; null is ignored.
// InvalidArgument: not an object, a value that is an object or array, a duplicate name, or more than kMaxParameters.
absl::Status AddJsonBody(std::string_view body, ParameterTexts& texts);

// Adds the member `sql` of the JSON object that is the body of a GET, as Logflare does: nothing of the body is read if `texts` has
// sql, and no other member. InvalidArgument: not an object, or `sql` is no string.
absl::Status AddSqlOfBody(std::string_view body, ParameterTexts& texts);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_CALL_PARAMETERS_H_
