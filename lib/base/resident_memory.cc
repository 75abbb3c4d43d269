// Reads /proc/self/statm.
#include "lib/base/resident_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "absl/strings/numbers.h"
#include "lib/base/strings.h"

namespace logquery::base {

ResidentMemory::ResidentMemory() : fd_(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

ResidentMemory::~ResidentMemory() {
  if (fd_ >= 0) close(fd_);
}

int64_t ResidentMemory::Read() const {
  char buffer[256];
  const ssize_t size = fd_ < 0 ? -1 : pread(fd_, buffer, sizeof(buffer), 0);
  if (size <= 0) return -1;
  // Pages: of the whole program, then those that are resident.
  std::string_view text(buffer, static_cast<size_t>(size));
  text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  int64_t pages = 0;
  if (!absl::SimpleAtoi(ToAbsl(text.substr(0, text.find(' '))), &pages)) return -1;
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace logquery::base
