// A pool of threads with a maximum number of threads and of waiting tasks. Threads are started when first needed; where the
// system has none left, tasks wait for those that are there, and each further task tries to start one.
//
//     WorkerPool pool(4, 256);
//     if (!pool.Submit([…] { … })) return Unavailable;
//
// Fair between submitters: those with waiting tasks get a thread in turn, for one task each. When the queue is full, a
// submitter with fewer waiting tasks displaces the last task of the one with the most, if that task can be dropped.
//
// Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_WORKER_POOL_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_WORKER_POOL_H_

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

class WorkerPool {
 public:
  struct Task {
    std::function<void()> run;  // must not throw
    std::string who = {};       // the submitter
    // Called instead of `run`, on a submitting thread; empty: the task is never dropped.
    std::function<void()> dropped = {};
  };

  WorkerPool(int max_threads, int max_waiting) : max_threads_(max_threads), max_waiting_(max_waiting) {}
  // Calls Shutdown.
  ~WorkerPool() { Shutdown(); }

  // Starts threads before they are needed, until there are `threads`. ResourceExhausted: there is none afterwards.
  absl::Status Start(int threads);
  // Returns false if all threads are busy and the queue is full, or the pool is shut down.
  bool Submit(Task task);
  bool Submit(std::function<void()> run) { return Submit(Task{std::move(run)}); }
  // Returns when all submitted tasks are done. Idempotent.
  void Shutdown();
  // Returns whether tasks wait and no further thread can be started.
  bool IsFull() const;
  struct Use {
    int running = 0;
    int max_threads = 0;
    int threads = 0;  // that are there
    int waiting = 0;
    int max_waiting = 0;
  };
  // The current state.
  Use use() const;

 private:
  void Work();
  void Push(Task task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Task Pop() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Withdraws the task that `who` submitted last.
  Task TakeLast(const std::string& who) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool AddThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the task to displace for one more task of `who`; nullopt: there is none.
  std::optional<Task> MakeRoom(const std::string& who) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int max_threads_;
  const int max_waiting_;
  mutable absl::Mutex mutex_;
  std::map<std::string, std::deque<Task>> waiting_ ABSL_GUARDED_BY(mutex_);  // by submitter; none is empty
  std::deque<std::string> turns_ ABSL_GUARDED_BY(mutex_);  // the submitters in `waiting_`; the next one is first
  int count_ ABSL_GUARDED_BY(mutex_) = 0;                  // the number of waiting tasks
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  int idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool lacks_threads_ ABSL_GUARDED_BY(mutex_) = false;  // the last attempt to start one failed
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_WORKER_POOL_H_
