// Translates the options of commands to those of a deployment (logquery/serving/deployment.h).
#ifndef LOGQUERY_SHIM_CLI_SERVE_DEPLOYMENT_OPTIONS_H_
#define LOGQUERY_SHIM_CLI_SERVE_DEPLOYMENT_OPTIONS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "logquery/serving/deployment.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Opens a deployment for one command: it only reads, so that several may do so at once, and needs no token. Statuses: those of
// ReadBackend and Deployment::Open; InvalidArgument: --now is no time.
absl::StatusOr<std::unique_ptr<Deployment>> OpenToRead(const ServiceArguments& arguments);

// Returns the options of a server, without guard, observer and log. Statuses: those of ReadBackend; InvalidArgument: an option
// is malformed, or is for a data folder and the server owns none.
absl::StatusOr<DeploymentOptions> ServerOptions(const ServeArguments& arguments);

// Deployment::Open, with a hint at --read-only where the folder can't be written.
absl::StatusOr<std::unique_ptr<Deployment>> OpenServer(DeploymentOptions options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_DEPLOYMENT_OPTIONS_H_
