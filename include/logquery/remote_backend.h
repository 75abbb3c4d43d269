// A backend whose engine runs elsewhere and may be unreachable at times. In addition to running queries, it reports
// whether the engine answers now.
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
  // OK: the engine answers. Unavailable: calls would fail now; the message says why, without hosts, names or
  // credentials.
  absl::Status status;
  std::string details;  // for the log only: the message of the engine or a library; may be empty
};

// Thread-safe.
class RemoteBackend : public QueryBackend {
 public:
  // For health checks: sends the engine a cheap query with a deadline of one second. The result is reused for 5 seconds
  // on success and for one second on failure. While one check runs, other callers get the previous result.
  virtual EngineState State() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_REMOTE_BACKEND_H_
