// Checks like a client whether a server in this process answers, before the service manager is told that it is alive.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SELF_PROBE_H_
#define LOGQUERY_SHIM_CLI_SERVE_SELF_PROBE_H_

#include "absl/time/time.h"

namespace logquery::shim {

// Returns whether GET /health, on a connection to the address of `listening_fd`, is answered with 200 in time.
bool AnswersHealth(int listening_fd, absl::Duration at_most);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SELF_PROBE_H_
