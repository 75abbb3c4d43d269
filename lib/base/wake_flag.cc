// Flags are event descriptors, so that poll and epoll wait for them as well.
#include "lib/base/wake_flag.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace logquery::base {

WakeFlag::WakeFlag() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
WakeFlag::~WakeFlag() { close(fd_); }
void WakeFlag::Raise() { eventfd_write(fd_, 1); }
void WakeFlag::Lower() {
  eventfd_t ignored;
  eventfd_read(fd_, &ignored);
}

}  // namespace logquery::base
