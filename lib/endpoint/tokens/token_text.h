// The text that a token may have: one that is sent, and one that was made elsewhere and is given to us.
#ifndef LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_TEXT_H_
#define LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::endpoint {

// The longest text that can be a token.
inline constexpr size_t kMaxTokenBytes = 512;

// Whether the text can be a token at all. Others need not be looked up.
bool IsTokenText(std::string_view text);

// InvalidArgument: the secret is no token's text, or it can be guessed, because it repeats a few characters or is one that
// examples publish; with how to make one. The message never has the secret itself.
absl::Status CheckGivenSecret(std::string_view secret);

// The id that a token is known by in lists and logs: the beginning of its SHA-256, in hexadecimal digits.
std::string TokenId(std::string_view sha256);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_TEXT_H_
