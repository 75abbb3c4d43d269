// A connection that is shut down wakes the thread that waits for it.
#include "shim/http/transport/open_connections.h"

#include <sys/socket.h>

namespace logquery::shim {

void OpenConnections::Add(int fd) {
  absl::MutexLock lock(&mutex_);
  fds_.insert(fd);
  if (shut_) shutdown(fd, SHUT_RDWR);
}

void OpenConnections::Remove(int fd) {
  absl::MutexLock lock(&mutex_);
  fds_.erase(fd);
}

void OpenConnections::ShutAll() {
  absl::MutexLock lock(&mutex_);
  shut_ = true;
  for (const int fd : fds_) shutdown(fd, SHUT_RDWR);
}

}  // namespace logquery::shim
