// Compares digests in constant time, as the file of tokens does.
#include "lib/endpoint/tokens/given_tokens.h"

#include <openssl/crypto.h>

#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/tokens/token_text.h"

namespace logquery::endpoint {

absl::Status GivenTokens::Add(std::string_view secret, Principal principal) {
  LOGQUERY_RETURN_IF_ERROR(CheckGivenSecret(secret));
  std::string sha256 = base::Sha256Hex(secret);
  if (const Given* const before = Find(sha256); before != nullptr) {
    return absl::AlreadyExistsError(
        base::StrCat("the token is the same as that of ", before->principal.label, "; each has to be another one"));
  }
  principal.token_id = TokenId(sha256);
  given_.push_back({std::move(sha256), std::move(principal)});
  return absl::OkStatus();
}

absl::StatusOr<Principal> GivenTokens::Authenticate(std::string_view token) {
  if (IsTokenText(token)) {
    if (const Given* const given = Find(base::Sha256Hex(token)); given != nullptr) return given->principal;
  }
  if (others_ != nullptr) return others_->Authenticate(token);
  return absl::UnauthenticatedError(token.empty() ? "no token was sent" : "the token is not known");
}

// Looks at every token, so that the time tells nothing of which one it was.
const GivenTokens::Given* GivenTokens::Find(std::string_view sha256) const {
  const Given* found = nullptr;
  for (const Given& given : given_) {
    if (CRYPTO_memcmp(given.sha256.data(), sha256.data(), sha256.size()) == 0) found = &given;
  }
  return found;
}

}  // namespace logquery::endpoint
