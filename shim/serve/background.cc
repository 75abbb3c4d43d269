// Runs the task on one thread, and waits between runs on a condition.
#include "shim/serve/background.h"

namespace logquery::shim {

void BackgroundTask::Start() {
  thread_ = std::thread([this] { Work(); });
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

}  // namespace logquery::shim
