// Ends connections that a stop can't wait for.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_OPEN_CONNECTIONS_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_OPEN_CONNECTIONS_H_

#include <cstdint>
#include <set>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

// The open connections, to be shut down when a stop takes too long. Thread-safe.
class OpenConnections {
 public:
  void Add(int fd);
  // Must be called before the descriptor is closed, because its number may be reused afterwards.
  void Remove(int fd);
  // Also shuts down connections that are added later.
  void ShutAll();
  int64_t size() const {
    absl::MutexLock lock(&mutex_);
    return static_cast<int64_t>(fds_.size());
  }

 private:
  mutable absl::Mutex mutex_;
  std::set<int> fds_ ABSL_GUARDED_BY(mutex_);
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_OPEN_CONNECTIONS_H_
