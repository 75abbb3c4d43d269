// Asks a server of this process whether it answers, as a client would: for who is to be told that it is alive.
#ifndef LOGQUERY_SHIM_SERVE_SELF_PROBE_H_
#define LOGQUERY_SHIM_SERVE_SELF_PROBE_H_

#include "absl/time/time.h"

namespace logquery::shim {

// Whether GET /health on a connection to the address that `listening_fd` listens on is answered with 200 in time.
bool AnswersHealth(int listening_fd, absl::Duration at_most);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SELF_PROBE_H_
