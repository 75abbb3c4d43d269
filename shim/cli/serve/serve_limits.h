// Fits a server to what the system allows its process: file descriptors and threads.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_LIMITS_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_LIMITS_H_

#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// The resources that the system allows a server.
struct SystemLimits {
  int descriptors = 0;
  int threads = 0;  // that can be started
};

// Raises the process's limit of descriptors as far as `arguments` need it and the hard limit allows. Tries how many
// threads can be started, up to the number that `arguments` may need.
SystemLimits ReadSystemLimits(const ServeArguments& arguments);

// Lowers max_connections and query_threads to what the limits allow, and logs what is missing and how to raise it.
// ResourceExhausted: the limits are too low for any server. `arguments.query_threads` must not be 0.
absl::Status FitToLimits(const SystemLimits& limits, const std::function<void(std::string_view, std::string_view)>& log,
                         ServeArguments& arguments);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_LIMITS_H_
