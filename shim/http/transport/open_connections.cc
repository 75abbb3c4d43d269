// Flags are event descriptors, so that poll and epoll wait for them as well.
#include "shim/http/transport/open_connections.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace logquery::shim {

WakeFlag::WakeFlag() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
WakeFlag::~WakeFlag() { close(fd_); }
void WakeFlag::Raise() { eventfd_write(fd_, 1); }
void WakeFlag::Lower() {
  eventfd_t ignored;
  eventfd_read(fd_, &ignored);
}

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
