// A backend over an engine elsewhere, which may be away while the program runs: it also says whether the engine can be asked now.
//
//     auto backend = logquery::OpenPostgres(options);
//     const logquery::EngineState state = (*backend)->State();
//     if (!state.status.ok()) log << state.status.message() << ": " << state.details;
#ifndef LOGQUERY_REMOTE_BACKEND_H_
#define LOGQUERY_REMOTE_BACKEND_H_

#include <string>

#include "absl/status/status.h"
#include "logquery/query_backend.h"

namespace logquery {

struct EngineState {
  // OK: the engine answers. Unavailable: why calls would fail now, in words without hosts, names or credentials.
  absl::Status status;
  std::string details;  // for the log alone: what the engine or a library said. Empty: nothing more is known
};

// Thread-safe.
class RemoteBackend : public QueryBackend {
 public:
  // For health checks: asks the engine a cheap question, with a deadline of a second. The outcome is kept, for 5 seconds if the
  // engine answered and for one if it did not; callers that come while another one asks get the previous outcome.
  virtual EngineState State() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_REMOTE_BACKEND_H_
