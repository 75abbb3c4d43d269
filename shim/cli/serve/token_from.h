// What `serve --token-from` says: which variables have tokens, and what each of these may do.
//
//     LOGFLARE_PRIVATE_ACCESS_TOKEN=read            it calls all endpoints and reads all projects
//     LOGFLARE_PUBLIC_ACCESS_TOKEN=write:default    it writes logs of the project "default", and calls no endpoint
//     LOGFLARE_API_KEY=all                          both
#ifndef LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_
#define LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "shim/cli/options/variables.h"

namespace logquery::shim {

struct TokenFrom {
  std::string variable;
  Principal principal;  // its label is the variable's name
};

// `options` are each a list with commas between. InvalidArgument: what is not of that form, or names a variable twice.
absl::StatusOr<std::vector<TokenFrom>> ParseTokenFrom(const std::vector<std::string>& options);

// An authenticator that knows the tokens of these variables, and those that `others` knows; nullptr: there are none.
// InvalidArgument also: a variable has no token, the same one as another, or one that can be guessed. NotFound: the file that
// a variable names can't be read.
absl::StatusOr<std::unique_ptr<Authenticator>> WithTokensFrom(const std::vector<std::string>& options,
                                                              const Variables& variable,
                                                              std::unique_ptr<Authenticator> others);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_
