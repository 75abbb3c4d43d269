// Wakes threads that wait for connections, and ends connections that a stop can't wait for.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_OPEN_CONNECTIONS_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_OPEN_CONNECTIONS_H_

#include <cstdint>
#include <set>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

// A descriptor that is readable while the flag is raised, for threads that also wait for other descriptors.
// Thread-safe.
class WakeFlag {
 public:
  WakeFlag();
  ~WakeFlag();
  WakeFlag(const WakeFlag&) = delete;
  WakeFlag& operator=(const WakeFlag&) = delete;

  void Raise();
  void Lower();
  int fd() const { return fd_; }

 private:
  const int fd_;
};

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
