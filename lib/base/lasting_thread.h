// A thread that an object needs for as long as it lives, where the system may allow none at times.
//
//     LastingThread thread_{"the watch over memory", [this] { Work(); }};    // the last member: it uses the others
//     LOGQUERY_RETURN_IF_ERROR(thread_.Ensure());                            // before each use
//
// It starts at once, as later callers' threads may have taken what the system allows; Ensure tries again where it could not.
// Thread-safe.
#ifndef LOGQUERY_LIB_BASE_LASTING_THREAD_H_
#define LOGQUERY_LIB_BASE_LASTING_THREAD_H_

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/start_thread.h"

namespace logquery::base {

class LastingThread {
 public:
  // `purpose` is for errors: "the watch over memory".
  LastingThread(std::string purpose, std::function<void()> run) : purpose_(std::move(purpose)), run_(std::move(run)) {
    Ensure().IgnoreError();
  }
  // Join must have been called.
  ~LastingThread() = default;
  LastingThread(const LastingThread&) = delete;
  LastingThread& operator=(const LastingThread&) = delete;

  // Unavailable: there is no thread yet, and the system allows none now; the message says what to raise.
  absl::Status Ensure() {
    absl::MutexLock lock(&mutex_);
    if (thread_.joinable()) return absl::OkStatus();
    absl::StatusOr<std::thread> thread = StartThread(purpose_, run_);
    if (!thread.ok()) return absl::UnavailableError(thread.status().message());
    thread_ = *std::move(thread);
    return absl::OkStatus();
  }

  // Waits for the end of `run`, which must have been told to end. Nothing may be called after it.
  void Join() {
    std::thread thread;
    {
      absl::MutexLock lock(&mutex_);
      thread.swap(thread_);
    }
    if (thread.joinable()) thread.join();
  }

 private:
  const std::string purpose_;
  const std::function<void()> run_;
  absl::Mutex mutex_;
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LASTING_THREAD_H_
