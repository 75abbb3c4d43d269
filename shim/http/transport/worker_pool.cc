// A queue for each submitter, served in turn.
#include "shim/http/transport/worker_pool.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/base/start_thread.h"

namespace logquery::shim {

bool WorkerPool::Submit(Task task) {
  std::optional<Task> dropped;
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return false;
    if (idle_ <= count_ && static_cast<int>(threads_.size()) < max_threads_) {
      AddThread();
      if (threads_.empty()) return false;
    }
    if (count_ - idle_ >= max_waiting_) {
      dropped = MakeRoom(task.who);
      if (!dropped.has_value()) return false;
    }
    Push(std::move(task));
  }
  if (dropped.has_value()) dropped->dropped();
  return true;
}

absl::Status WorkerPool::Start(int threads) {
  absl::MutexLock lock(&mutex_);
  while (!stopping_ && static_cast<int>(threads_.size()) < threads && AddThread()) {
  }
  if (!threads_.empty() || threads == 0) return absl::OkStatus();
  return absl::ResourceExhaustedError("the system allows no further thread");
}

bool WorkerPool::AddThread() {
  absl::StatusOr<std::thread> thread = base::StartThread([this] { Work(); });
  lacks_threads_ = !thread.ok();
  if (lacks_threads_) return false;
  threads_.push_back(*std::move(thread));
  ++idle_;  // from now on, as it takes no task before its first one
  return true;
}

void WorkerPool::Push(Task task) {
  std::deque<Task>& own = waiting_[task.who];
  if (own.empty()) turns_.push_back(task.who);
  own.push_back(std::move(task));
  ++count_;
}

WorkerPool::Task WorkerPool::Pop() {
  std::string who = std::move(turns_.front());
  turns_.pop_front();
  const auto own = waiting_.find(who);
  Task task = std::move(own->second.front());
  own->second.pop_front();
  --count_;
  if (own->second.empty()) {
    waiting_.erase(own);
  } else {
    turns_.push_back(std::move(who));
  }
  return task;
}

WorkerPool::Task WorkerPool::TakeLast(const std::string& who) {
  const auto own = waiting_.find(who);
  Task task = std::move(own->second.back());
  own->second.pop_back();
  --count_;
  if (own->second.empty()) {
    turns_.erase(std::find(turns_.begin(), turns_.end(), who));
    waiting_.erase(own);
  }
  return task;
}

std::optional<WorkerPool::Task> WorkerPool::MakeRoom(const std::string& who) {
  const auto most = std::max_element(waiting_.begin(), waiting_.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == waiting_.end() || most->second.back().dropped == nullptr) return std::nullopt;
  const auto own = waiting_.find(who);
  const size_t has = own == waiting_.end() ? 0 : own->second.size();
  // With one fewer the other would still have as many as this one will have.
  if (most->second.size() < has + 2) return std::nullopt;
  return TakeLast(std::string(most->first));
}

void WorkerPool::Work() {
  absl::MutexLock lock(&mutex_);
  const auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return count_ > 0 || stopping_; };
  while (true) {
    mutex_.Await(absl::Condition(&ready));
    --idle_;
    if (count_ == 0) return;
    Task task = Pop();
    mutex_.Unlock();
    task.run();
    task = Task();  // what it holds goes before the lock is taken again
    mutex_.Lock();
    ++idle_;
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

WorkerPool::Use WorkerPool::use() const {
  absl::MutexLock lock(&mutex_);
  const auto threads = static_cast<int>(threads_.size());
  return {threads - idle_, max_threads_, threads, count_, max_waiting_};
}

bool WorkerPool::IsFull() const {
  absl::MutexLock lock(&mutex_);
  return (lacks_threads_ || static_cast<int>(threads_.size()) == max_threads_) && count_ > idle_;
}

}  // namespace logquery::shim
