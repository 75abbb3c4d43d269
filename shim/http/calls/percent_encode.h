// Escapes text for a URL's path (RFC 3986).
#ifndef LOGQUERY_SHIM_HTTP_CALLS_PERCENT_ENCODE_H_
#define LOGQUERY_SHIM_HTTP_CALLS_PERCENT_ENCODE_H_

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"

namespace logquery::shim {

// Escapes everything except letters, digits and -._~.
inline std::string PercentEncode(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_PERCENT_ENCODE_H_
