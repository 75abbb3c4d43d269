// Logs when the file of tokens becomes invalid, and when it is valid again.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_WATCH_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_WATCH_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "lib/serving/deployment/event_log.h"

namespace logquery::serving {

// Used by one thread.
class TokenWatch {
 public:
  // `state`: see Deployment::tokens_state.
  TokenWatch(std::function<absl::Status()> state, EventLog log) : state_(std::move(state)), log_(std::move(log)) {}
  // Logs what has changed since the last call.
  void Look();

 private:
  const std::function<absl::Status()> state_;
  const EventLog log_;
  absl::Status last_;
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_TOKEN_WATCH_H_
