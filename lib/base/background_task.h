// A background task that runs at once and then periodically.
//
//     BackgroundTask task(absl::Hours(1), [](const CancellationToken& stopping) { Tidy(stopping); });
//     LOGQUERY_RETURN_IF_ERROR(task.Start());
#ifndef LOGQUERY_LIB_BASE_BACKGROUND_TASK_H_
#define LOGQUERY_LIB_BASE_BACKGROUND_TASK_H_

#include <functional>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery::base {

// Thread-safe, except that Start and Stop must not overlap.
class BackgroundTask {
 public:
  // `every` is the time from the end of one run to the start of the next.
  BackgroundTask(absl::Duration every, std::function<void(const CancellationToken& stopping)> task)
      : every_(every), task_(std::move(task)) {}
  ~BackgroundTask() { Stop(); }
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  // ResourceExhausted: the system allows no thread for it.
  absl::Status Start();
  // Cancels a running task, and waits for its end.
  void Stop();

 private:
  void Work();

  const absl::Duration every_;
  const std::function<void(const CancellationToken&)> task_;
  CancellationSource stopping_;
  absl::Mutex mutex_;
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_BACKGROUND_TASK_H_
