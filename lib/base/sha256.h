// SHA-256 of bytes.
#ifndef LOGQUERY_LIB_BASE_SHA256_H_
#define LOGQUERY_LIB_BASE_SHA256_H_

#include <array>
#include <string>
#include <string_view>

namespace logquery::base {

using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest Sha256(std::string_view bytes);

// The digest as 64 hexadecimal digits, lower case.
std::string Sha256Hex(std::string_view bytes);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_SHA256_H_
