// Reports for /ready whether a server's remote engine can be reached, and logs each change.
#ifndef LOGQUERY_SHIM_CLI_SERVE_ENGINE_WATCH_H_
#define LOGQUERY_SHIM_CLI_SERVE_ENGINE_WATCH_H_

#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "logquery/remote_backend.h"
#include "shim/cli/folder/loading.h"

namespace logquery::shim {

// Thread-safe.
class EngineWatch {
 public:
  EngineWatch(std::function<EngineState()> state, IntakeLog log) : state_(std::move(state)), log_(std::move(log)) {}

  // Returns EngineState::status.
  absl::Status Check();

 private:
  const std::function<EngineState()> state_;
  const IntakeLog log_;
  absl::Mutex mutex_;
  absl::Status last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_ENGINE_WATCH_H_
