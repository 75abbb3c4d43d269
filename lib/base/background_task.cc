// Runs the task on one thread, and waits between runs on a condition.
#include "lib/base/background_task.h"

#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"

namespace logquery::base {

absl::Status BackgroundTask::Start() {
  LOGQUERY_ASSIGN_OR_RETURN(thread_, StartThread([this] { Work(); }));
  return absl::OkStatus();
}

void BackgroundTask::Stop() {
  {
    absl::MutexLock lock(&mutex_);
    stop_ = true;
  }
  stopping_.Cancel();
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::Work() {
  const auto stop = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stop_; };
  while (true) {
    task_(stopping_.token());
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&stop), every_)) return;
  }
}

}  // namespace logquery::base
