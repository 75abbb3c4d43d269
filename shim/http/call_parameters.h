// The parameters of a call, from its URL and its body.
//
// Strict where leniency would guess: a percent sign without two digits, a name given twice, a value that is no scalar are
// errors that say which. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CALL_PARAMETERS_H_
#define LOGQUERY_SHIM_HTTP_CALL_PARAMETERS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/parameter_binder.h"

namespace logquery::shim {

// Of one call. Names are looked up one by one.
inline constexpr size_t kMaxParameters = 1'000;

// InvalidArgument: a bad escape, or bytes that are not UTF-8.
absl::StatusOr<std::string> PercentDecode(std::string_view text, bool plus_is_space);

// "a=1&b=x%20y" in its order; `+` is a space (ParseTimestamp knows that an offset's + comes as one).
// InvalidArgument: a bad escape, a name twice, more than kMaxParameters.
absl::StatusOr<ParameterTexts> ParseQueryString(std::string_view query);

// Adds the members of a JSON object to `texts`: strings as they are, numbers and booleans as their text, null as nothing.
// InvalidArgument: no object, a value that is an object or array, a name that is there already, more than kMaxParameters.
absl::Status AddJsonBody(std::string_view body, ParameterTexts& texts);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALL_PARAMETERS_H_
