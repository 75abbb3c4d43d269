// Reads and replaces files that only their owner, or a group of this process, may read.
#include "lib/endpoint/tokens/private_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

constexpr int kMaxLinks = 40;  // as Linux
constexpr int64_t kMaxBytes = 16 << 20;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

absl::Status SystemError(std::string_view what, std::string_view path) {
  return absl::ErrnoToStatus(errno, base::ToAbsl(base::StrCat("can't ", what, " ", path)));
}

int64_t Nanos(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// Whether this process is a member. A secret that a container gets belongs to root, and to a group of the process.
bool IsOwnGroup(gid_t group) {
  if (group == getegid()) return true;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
  groups.resize(static_cast<size_t>(std::max(getgroups(static_cast<int>(groups.size()), groups.data()), 0)));
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

absl::Status CheckPrivate(const std::string& path, const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return absl::FailedPreconditionError(base::StrCat(path, " is not a plain file"));
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s belongs to the user %d, who could change who may call; it must belong to this process's "
                        "user: chown %d",
                        path, info.st_uid, geteuid()));
  }
  const mode_t allowed = IsOwnGroup(info.st_gid) ? 0740 : 0700;
  if ((info.st_mode & 0777 & ~allowed) == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("%s is open to others (mode %04o, group %d); it holds who may call, make it yours alone: chmod "
                      "600, or 640 if its group is one of this process's",
                      path, info.st_mode & 07777, info.st_gid));
}

absl::Status WriteAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write", path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return fsync(fd) == 0 ? absl::OkStatus() : SystemError("write", path);
}

// So that the rename itself outlives a power failure.
absl::Status SyncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok() || fsync(fd.get()) != 0) return SystemError("write", folder);
  return absl::OkStatus();
}

// The end of the symbolic links that `path` begins, whether there is a file or not.
absl::StatusOr<std::string> FollowLinks(const std::string& path) {
  std::string end = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    std::string target(PATH_MAX, '\0');
    const ssize_t length = readlink(end.c_str(), target.data(), target.size());
    // Not a link, or nothing at all.
    if (length < 0 && (errno == EINVAL || errno == ENOENT)) return end;
    if (length < 0) return SystemError("follow", end);
    target.resize(static_cast<size_t>(length));
    const size_t slash = end.rfind('/');
    if (target.front() == '/' || slash == std::string::npos) {
      end = target;
    } else {
      end.resize(slash + 1);
      end += target;
    }
  }
  return absl::FailedPreconditionError(
      base::StrCat(path, " leads through more than ", kMaxLinks, " symbolic links, or round in a circle"));
}

}  // namespace

FileStamp StampOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino, info.st_size, Nanos(info.st_mtim), Nanos(info.st_ctim)};
}

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path) {
  // Not to be kept waiting where the path is a pipe.
  const Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (!fd.ok() || fstat(fd.get(), &info) != 0) return SystemError("read", path);
  LOGQUERY_RETURN_IF_ERROR(CheckPrivate(path, info));
  std::string content;
  char buffer[16384];
  for (;;) {
    const ssize_t count = read(fd.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", path);
    if (count == 0) return content;
    content.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(content.size()) > kMaxBytes) {
      return absl::ResourceExhaustedError(base::StrCat(path, " is longer than ", kMaxBytes, " bytes"));
    }
  }
}

absl::Status ReplacePrivateFile(const FileLock& lock, std::string_view content) {
  const std::string& path = lock.file();
  std::string temporary = path + ".XXXXXX";
  // mkostemp makes it with mode 0600.
  const Descriptor fd(mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd.ok()) return SystemError("make a file beside", path);
  absl::Status status = WriteAll(fd.get(), content, temporary);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) status = SystemError("replace", path);
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return SyncFolderOf(path);
}

absl::StatusOr<FileLock> FileLock::Take(const std::string& path) {
  LOGQUERY_ASSIGN_OR_RETURN(std::string file, FollowLinks(path));
  const std::string lock_path = file + ".lock";
  FileLock lock(open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), std::move(file));
  if (lock.fd_ < 0) return SystemError("open", lock_path);
  while (flock(lock.fd_, LOCK_EX) != 0) {
    if (errno != EINTR) return SystemError("lock", lock_path);
  }
  return lock;
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)), file_(std::move(other.file_)) {}

}  // namespace logquery::endpoint
