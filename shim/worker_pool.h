// Threads that work off tasks: at most so many at one time, at most so many waiting. Threads are started when first needed.
//
//     WorkerPool pool(4, 256);
//     if (!pool.Submit([…] { … })) return Unavailable;
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_WORKER_POOL_H_
#define LOGQUERY_SHIM_WORKER_POOL_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

class WorkerPool {
 public:
  WorkerPool(int max_threads, int max_waiting) : max_threads_(max_threads), max_waiting_(max_waiting) {}
  // As Shutdown.
  ~WorkerPool() { Shutdown(); }

  // False: all threads are busy and as many tasks wait as may, or the pool is shut down. `task` does not throw.
  bool Submit(std::function<void()> task);
  // Returns when every task that was submitted is done. Idempotent.
  void Shutdown();
  // Whether tasks wait for a thread and none more may be started.
  bool IsFull() const;

 private:
  void Work();

  const int max_threads_;
  const int max_waiting_;
  mutable absl::Mutex mutex_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  int idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_WORKER_POOL_H_
