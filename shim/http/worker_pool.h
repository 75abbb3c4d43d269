// Threads that work off tasks: at most so many at one time, at most so many waiting. Threads are started when first needed.
//
//     WorkerPool pool(4, 256);
//     if (!pool.Submit([…] { … })) return Unavailable;
//
// Fair between those who submit: who has tasks waiting gets a thread in turn, one task each. When no more may wait, a task of
// who has fewer waiting takes the place of the last one of who has most, if that one can be dropped.
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_WORKER_POOL_H_
#define LOGQUERY_SHIM_HTTP_WORKER_POOL_H_

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

class WorkerPool {
 public:
  struct Task {
    std::function<void()> run;           // does not throw
    std::string who = {};                // submits it
    std::function<void()> dropped = {};  // called in place of `run`, on a thread that submits; empty: never dropped
  };

  WorkerPool(int max_threads, int max_waiting) : max_threads_(max_threads), max_waiting_(max_waiting) {}
  // As Shutdown.
  ~WorkerPool() { Shutdown(); }

  // False: all threads are busy and as many tasks wait as may, or the pool is shut down.
  bool Submit(Task task);
  bool Submit(std::function<void()> run) { return Submit(Task{std::move(run)}); }
  // Returns when every task that was submitted is done. Idempotent.
  void Shutdown();
  // Whether tasks wait for a thread and none more may be started.
  bool IsFull() const;
  struct Use {
    int running = 0;
    int max_threads = 0;
    int waiting = 0;
    int max_waiting = 0;
  };
  // At this moment.
  Use use() const;

 private:
  void Work();
  void Push(Task task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Task Pop() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes back what was pushed last by `who`.
  Task TakeLast(const std::string& who) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The task that is to go for one more of `who`; nothing: there is no room.
  std::optional<Task> MakeRoom(const std::string& who) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int max_threads_;
  const int max_waiting_;
  mutable absl::Mutex mutex_;
  std::map<std::string, std::deque<Task>> waiting_ ABSL_GUARDED_BY(mutex_);  // by who; none is empty
  std::deque<std::string> turns_ ABSL_GUARDED_BY(mutex_);                    // those in `waiting_`, next first
  int count_ ABSL_GUARDED_BY(mutex_) = 0;                                    // of all that wait
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  int idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_WORKER_POOL_H_
