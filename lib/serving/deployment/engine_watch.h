// Reports whether an engine elsewhere can be reached, and logs each change.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINE_WATCH_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINE_WATCH_H_

#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/serving/deployment/event_log.h"
#include "logquery/remote_backend.h"

namespace logquery::serving {

// Thread-safe.
class EngineWatch {
 public:
  EngineWatch(std::function<EngineState()> state, EventLog log) : state_(std::move(state)), log_(std::move(log)) {}

  // Returns EngineState::status.
  absl::Status Check();

 private:
  const std::function<EngineState()> state_;
  const EventLog log_;
  absl::Mutex mutex_;
  absl::Status last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINE_WATCH_H_
