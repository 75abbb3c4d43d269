// Creates an unnamed file with O_TMPFILE, or removes its name at once where that is not supported.
#include "lib/result/spill_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "lib/base/strings.h"

namespace logquery::result {
namespace {

absl::Status Failed(std::string_view what, int error) {
  return absl::UnavailableError(base::StrCat("the answer is longer than what is held in memory, and its file can't be ",
                                             what, ": ", std::generic_category().message(error)));
}

// Some file systems have no files without a name: there it has one for a moment.
int MakeNamed(const std::string& folder) {
  std::string name = folder + "/logquery-answer-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SpillFile>> SpillFile::Create(const std::string& folder) {
  int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) fd = MakeNamed(folder);
  if (fd < 0) return Failed("made", errno);
  return std::unique_ptr<SpillFile>(new SpillFile(fd));
}

absl::StatusOr<std::unique_ptr<SpillFile>> SpillFile::CreateInMemory() {
  const int fd = memfd_create("logquery-answer", MFD_CLOEXEC);
  if (fd < 0) return Failed("made", errno);
  return std::unique_ptr<SpillFile>(new SpillFile(fd));
}

std::string SpillFile::path() const { return base::StrCat("/proc/self/fd/", fd_); }

absl::Status SpillFile::ReadSize() {
  struct stat about;
  if (fstat(fd_, &about) != 0) return Failed("read", errno);
  size_ = about.st_size;
  return absl::OkStatus();
}

SpillFile::~SpillFile() { close(fd_); }

absl::Status SpillFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(fd_, bytes.data(), bytes.size(), size_);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Failed("written", count < 0 ? errno : ENOSPC);
    size_ += count;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> SpillFile::ReadAt(int64_t offset, char* to, size_t bytes) const {
  while (true) {
    const ssize_t count = pread(fd_, to, bytes, offset);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return Failed("read", errno);
  }
}

}  // namespace logquery::result
