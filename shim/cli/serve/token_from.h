// Parses `serve --token-from`: which variables contain tokens, and what each token may do.
//
//     LOGFLARE_PRIVATE_ACCESS_TOKEN=read            it calls all endpoints and reads all projects
//     LOGFLARE_PUBLIC_ACCESS_TOKEN=write:default    it writes logs of the project "default", and calls no endpoint
//     LOGFLARE_API_KEY=all                          both
#ifndef LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_
#define LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/serving/deployment.h"

namespace logquery::shim {

// Each option is a comma-separated list. The label of each principal is the variable's name. InvalidArgument: a part has another
// form, or names a variable twice.
absl::StatusOr<std::vector<TokenVariable>> ParseTokenFrom(const std::vector<std::string>& options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_TOKEN_FROM_H_
