#include "shim/cli/folder/sample/file_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::shim {

FileOutput::~FileOutput() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(temporary_.c_str());
}

absl::Status FileOutput::Open(std::string path) {
  path_ = std::move(path);
  const size_t name = path_.find_last_of('/') + 1;  // npos + 1 is 0
  temporary_ = base::StrCat(path_.substr(0, name), ".", path_.substr(name), ".", getpid(), ".tmp");
  fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  return fd_ < 0 ? Failure("open") : absl::OkStatus();
}

absl::Status FileOutput::Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failure("write");
    text.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status FileOutput::Commit() {
  const int fd = std::exchange(fd_, -1);
  if (close(fd) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) {
    const absl::Status failure = Failure("write");
    unlink(temporary_.c_str());
    return failure;
  }
  return absl::OkStatus();
}

absl::Status FileOutput::Failure(std::string_view what) const {
  return absl::UnavailableError(base::StrCat("can't ", what, " ", path_, ": ", std::strerror(errno)));
}

}  // namespace logquery::shim
