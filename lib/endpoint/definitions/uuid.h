// The form of an endpoint's id: 8-4-4-4-12 hexadecimal digits.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_UUID_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_UUID_H_

#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"

namespace logquery {

inline bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !absl::ascii_isxdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  return true;
}

}  // namespace logquery

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_UUID_H_
