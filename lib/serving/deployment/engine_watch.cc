// The engine's messages go only to the log, because they may contain hosts and users.
#include "lib/serving/deployment/engine_watch.h"

#include "lib/base/strings.h"

namespace logquery::serving {

absl::Status EngineWatch::Check() {
  const EngineState state = state_();
  {
    absl::MutexLock lock(&mutex_);
    if (state.status == last_) return state.status;
    last_ = state.status;
  }
  if (state.status.ok()) {
    log_("info", "the engine answers again");
  } else {
    log_("warning", base::StrCat(base::Message(state.status), state.details.empty() ? "" : ": ", state.details));
  }
  return state.status;
}

}  // namespace logquery::serving
