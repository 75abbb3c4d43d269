// Waits on a request's thread for what another thread makes, and looks after the client meanwhile.
#ifndef LOGQUERY_LIB_BASE_AWAIT_ANSWER_H_
#define LOGQUERY_LIB_BASE_AWAIT_ANSWER_H_

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery::base {

inline constexpr absl::Duration kLookForClientEvery = absl::Milliseconds(50);

// The thread that waits for an answer and the one that makes it share it: either may be the last to need it.
template <typename Answer>
struct AwaitedAnswer {
  absl::Mutex mutex;
  std::optional<Answer> answer ABSL_GUARDED_BY(mutex);
};

// Calls `start` with the function that takes the answer, and returns the answer. nullopt: the client left; `cancellation` was
// requested then, and nobody waits for its end.
template <typename Answer>
std::optional<Answer> AwaitWhileConnected(const std::function<bool()>& client_left, CancellationSource& cancellation,
                                          const std::function<void(std::function<void(Answer)> done)>& start) {
  const auto awaited = std::make_shared<AwaitedAnswer<Answer>>();
  start([awaited](Answer made) {
    absl::MutexLock lock(&awaited->mutex);
    awaited->answer = std::move(made);
  });
  absl::MutexLock lock(&awaited->mutex);
  const auto is_there = [&awaited]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return awaited->answer.has_value(); };
  while (!awaited->mutex.AwaitWithTimeout(absl::Condition(&is_there), kLookForClientEvery)) {
    if (!client_left()) continue;
    // Without the lock, as it ends a call that waits.
    awaited->mutex.Unlock();
    cancellation.Cancel();
    awaited->mutex.Lock();
    return std::nullopt;
  }
  return std::move(awaited->answer);
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_AWAIT_ANSWER_H_
