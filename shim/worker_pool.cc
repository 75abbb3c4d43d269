#include "shim/worker_pool.h"

#include <system_error>
#include <utility>

namespace logquery::shim {

bool WorkerPool::Submit(std::function<void()> task) {
  absl::MutexLock lock(&mutex_);
  if (stopping_) return false;
  const auto waiting = static_cast<int>(waiting_.size());
  if (idle_ > waiting) {
    waiting_.push_back(std::move(task));
    return true;
  }
  if (static_cast<int>(threads_.size()) < max_threads_) {
    waiting_.push_back(std::move(task));
    try {
      threads_.emplace_back([this] { Work(); });
      return true;
    } catch (const std::system_error&) {
      // The system has no thread left. Those that are there will get to it, if there are any.
      if (!threads_.empty()) return true;
      waiting_.pop_back();
      return false;
    }
  }
  if (waiting - idle_ >= max_waiting_) return false;
  waiting_.push_back(std::move(task));
  return true;
}

void WorkerPool::Work() {
  absl::MutexLock lock(&mutex_);
  const auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !waiting_.empty() || stopping_; };
  while (true) {
    ++idle_;
    mutex_.Await(absl::Condition(&ready));
    --idle_;
    if (waiting_.empty()) return;
    std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    mutex_.Unlock();
    task();
    task = nullptr;  // what it holds goes before the lock is taken again
    mutex_.Lock();
  }
}

void WorkerPool::Shutdown() {
  std::vector<std::thread> threads;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

bool WorkerPool::IsFull() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(threads_.size()) == max_threads_ && static_cast<int>(waiting_.size()) > idle_;
}

}  // namespace logquery::shim
