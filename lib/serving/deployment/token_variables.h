// Reads the tokens that environment variables contain (DeploymentOptions::token_variables).
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_VARIABLES_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_VARIABLES_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/variables.h"
#include "logquery/authenticator.h"
#include "logquery/serving/deployment.h"

namespace logquery::serving {

// Returns an authenticator that knows these tokens and those that `others` knows; nullptr: there are no others. The secrets are
// kept as digests. InvalidArgument: a variable has no token, the same as another, or one that is easy to guess. NotFound: the
// file that a variable names can't be read.
absl::StatusOr<std::unique_ptr<Authenticator>> ReadTokenVariables(const std::vector<TokenVariable>& tokens,
                                                                  const base::Variables& variable,
                                                                  std::unique_ptr<Authenticator> others);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_VARIABLES_H_
