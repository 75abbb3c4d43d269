// Errors name the variable, never what it contains.
#include "lib/serving/deployment/token_variables.h"

#include <string>
#include <utility>

#include "lib/base/given_secret.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/tokens/given_tokens.h"

namespace logquery::serving {

absl::StatusOr<std::unique_ptr<Authenticator>> ReadTokenVariables(const std::vector<TokenVariable>& tokens,
                                                                  const base::Variables& variable,
                                                                  std::unique_ptr<Authenticator> others) {
  auto given = std::make_unique<endpoint::GivenTokens>(std::move(others));
  for (const TokenVariable& token : tokens) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string secret, base::SecretOfVariable(token.variable, variable));
    const absl::Status added = given->Add(secret, token.principal);
    if (!added.ok()) {
      return absl::InvalidArgumentError(base::StrCat("the variable ", token.variable, ": ", base::Message(added)));
    }
  }
  return given;
}

}  // namespace logquery::serving
