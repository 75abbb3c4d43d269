// Tokens that a program is given when it starts, such as by its environment, beside those of another authenticator.
//
//     GivenTokens tokens(*TokenFile::Open("tokens.json", clock));
//     LOGQUERY_RETURN_IF_ERROR(tokens.Add(secret, collector));
//
// Only the digests of the secrets are kept. Tokens are added before the first call; then it is thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_TOKENS_GIVEN_TOKENS_H_
#define LOGQUERY_LIB_ENDPOINT_TOKENS_GIVEN_TOKENS_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/authenticator.h"

namespace logquery::endpoint {

class GivenTokens : public Authenticator {
 public:
  // `others` knows the tokens that are not given; nullptr: there are none.
  explicit GivenTokens(std::unique_ptr<Authenticator> others) : others_(std::move(others)) {}

  // `principal` gets the token's id. InvalidArgument: as CheckGivenSecret. AlreadyExists: this secret was given before.
  absl::Status Add(std::string_view secret, Principal principal);

  // A token that is given counts, whatever the others say of it and whether they can be asked or not.
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;

 private:
  struct Given {
    std::string sha256;  // hex
    Principal principal;
  };

  const Given* Find(std::string_view sha256) const;

  const std::unique_ptr<Authenticator> others_;
  std::vector<Given> given_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TOKENS_GIVEN_TOKENS_H_
