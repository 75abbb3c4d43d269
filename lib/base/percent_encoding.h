// Percent-encoding of text in URLs (RFC 3986, section 2.1).
#ifndef LOGQUERY_LIB_BASE_PERCENT_ENCODING_H_
#define LOGQUERY_LIB_BASE_PERCENT_ENCODING_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace logquery::base {

// Letters, digits and -._~, which mean the same escaped and unescaped.
bool IsUnreserved(char c);

// Escapes every byte that is not `plain`.
std::string PercentEncode(std::string_view text, absl::FunctionRef<bool(char)> plain = IsUnreserved);

// Replaces escapes by their bytes and, in a query string, `+` by a space. InvalidArgument: a % without two hexadecimal digits, or
// bytes that are not UTF-8.
absl::StatusOr<std::string> PercentDecode(std::string_view text, bool plus_is_space);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_PERCENT_ENCODING_H_
