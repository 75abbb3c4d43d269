// The shared state is an atomic flag, which running queries read without a lock, and a list of callbacks under a mutex.
#include "logquery/cancellation.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery {

struct CancellationToken::State {
  // Read often by running queries: without the mutex.
  std::atomic<bool> cancelled{false};

  absl::Mutex mutex;
  std::map<uint64_t, std::function<void()>> callbacks ABSL_GUARDED_BY(mutex);
  uint64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  uint64_t running_id ABSL_GUARDED_BY(mutex) = 0;  // the callback under way; 0: none
  std::thread::id canceller ABSL_GUARDED_BY(mutex);
  bool done ABSL_GUARDED_BY(mutex) = false;  // all callbacks have returned

  // The next callback to call, or none: then it is done.
  std::function<void()> TakeNext() ABSL_LOCKS_EXCLUDED(mutex) {
    absl::MutexLock lock(&mutex);
    running_id = 0;
    if (callbacks.empty()) {
      done = true;
      return nullptr;
    }
    auto node = callbacks.extract(callbacks.begin());
    running_id = node.key();
    return std::move(node.mapped());
  }

  // Returns 0 when the callback is to be called at once: one that waited for its turn could be gone before it came.
  uint64_t Add(std::function<void()>& callback) ABSL_LOCKS_EXCLUDED(mutex) {
    absl::MutexLock lock(&mutex);
    if (cancelled.load(std::memory_order_relaxed)) return 0;
    const uint64_t id = next_id++;
    callbacks.emplace(id, std::move(callback));
    return id;
  }

  void Remove(uint64_t id) ABSL_LOCKS_EXCLUDED(mutex) {
    absl::MutexLock lock(&mutex);
    callbacks.erase(id);
    // A callback that ends its own registration must not wait for itself.
    if (running_id != id || canceller == std::this_thread::get_id()) return;
    const auto returned = [this, id]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return running_id != id; };
    mutex.Await(absl::Condition(&returned));
  }
};

bool CancellationToken::IsCancelled() const {
  return state_ != nullptr && state_->cancelled.load(std::memory_order_acquire);
}

struct CancellationToken::Registration::Impl {
  std::shared_ptr<State> state;
  uint64_t id;

  Impl(std::shared_ptr<State> s, uint64_t i) : state(std::move(s)), id(i) {}
  ~Impl() { state->Remove(id); }
};

CancellationToken::Registration::Registration() = default;
CancellationToken::Registration::~Registration() = default;
CancellationToken::Registration::Registration(Registration&&) noexcept = default;
CancellationToken::Registration& CancellationToken::Registration::operator=(Registration&&) noexcept = default;

CancellationToken::Registration CancellationToken::OnCancel(std::function<void()> callback) const {
  Registration registration;
  if (state_ == nullptr) return registration;
  const uint64_t id = state_->Add(callback);
  if (id == 0) {
    callback();
  } else {
    registration.impl_ = std::make_unique<Registration::Impl>(state_, id);
  }
  return registration;
}

CancellationSource::CancellationSource() : state_(std::make_shared<CancellationToken::State>()) {}

void CancellationSource::Cancel() {
  // A callback may drop the last other owner of the state.
  const std::shared_ptr<CancellationToken::State> state = state_;
  {
    absl::MutexLock lock(&state->mutex);
    if (state->cancelled.load(std::memory_order_relaxed)) {
      if (state->canceller != std::this_thread::get_id()) state->mutex.Await(absl::Condition(&state->done));
      return;
    }
    state->canceller = std::this_thread::get_id();
    state->cancelled.store(true, std::memory_order_release);
  }
  while (std::function<void()> callback = state->TakeNext()) callback();
}

}  // namespace logquery
