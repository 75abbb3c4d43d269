// Writes with fsync and rename; copies by sharing blocks, by copy_file_range, or in pieces.
#include "lib/store/folder/durable_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::store {
namespace {

constexpr size_t kBufferBytes = 1 << 20;
constexpr size_t kPieceBytes = 16 << 20;  // that the kernel copies by itself, between two looks whether to go on

absl::StatusOr<size_t> ReadAt(int fd, char* buffer, off_t offset, const std::string& name) {
  while (true) {
    const ssize_t size = pread(fd, buffer, kBufferBytes, offset);
    if (size >= 0) return static_cast<size_t>(size);
    if (errno != EINTR) return ErrnoStatus(errno, name);
  }
}

// Hands out all of `fd`, piece by piece.
template <typename Take>
absl::StatusOr<int64_t> ForEachPiece(int fd, const std::string& name, const GoOn& go_on, Take take) {
  const auto buffer = std::make_unique<char[]>(kBufferBytes);
  for (off_t offset = 0;;) {
    LOGQUERY_RETURN_IF_ERROR(go_on());
    LOGQUERY_ASSIGN_OR_RETURN(const size_t size, ReadAt(fd, buffer.get(), offset, name));
    if (size == 0) return offset;
    LOGQUERY_RETURN_IF_ERROR(take(std::string_view(buffer.get(), size)));
    offset += static_cast<off_t>(size);
  }
}

}  // namespace

absl::Status WriteDurably(const std::string& path, std::string_view text) {
  return WriteDurably(path, [&](const File& file) { return WriteAll(file.fd(), text, path); });
}

absl::Status WriteDurably(const std::string& path, absl::FunctionRef<absl::Status(const File& file)> write) {
  const std::string beside = path + ".new";
  const File file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file.is_open()) return ErrnoStatus(errno, beside);
  LOGQUERY_RETURN_IF_ERROR(write(file));
  if (fsync(file.fd()) != 0) return ErrnoStatus(errno, beside);
  if (rename(beside.c_str(), path.c_str()) != 0) return ErrnoStatus(errno, path);
  const size_t slash = path.rfind('/');
  return SyncFolder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
}

absl::Status SyncFolder(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || fsync(file.fd()) != 0) return ErrnoStatus(errno, path);
  return absl::OkStatus();
}

absl::Status CloneOrCopy(int from, int to, const std::string& name, const GoOn& go_on) {
  if (ioctl(to, FICLONE, from) == 0) return absl::OkStatus();
  off_t done = 0;
  while (true) {
    LOGQUERY_RETURN_IF_ERROR(go_on());
    const ssize_t size = copy_file_range(from, &done, to, nullptr, kPieceBytes, 0);
    if (size == 0) return absl::OkStatus();
    if (size > 0 || errno == EINTR) continue;
    // The system cannot copy between these two file systems, so copy by hand, from the beginning.
    if (done == 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) break;
    return ErrnoStatus(errno, name);
  }
  return ForEachPiece(from, name, go_on, [&](std::string_view piece) { return WriteAll(to, piece, name); }).status();
}

absl::StatusOr<CopiedFile> CopyDurably(const std::string& from, const std::string& to, const GoOn& go_on) {
  const File source(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!source.is_open()) return ErrnoStatus(errno, from);
  struct stat info;
  if (fstat(source.fd(), &info) != 0) return ErrnoStatus(errno, from);
  if (!S_ISREG(info.st_mode)) return absl::DataLossError(from + " is no file");
  const File target(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!target.is_open()) return ErrnoStatus(errno, to);
  base::Sha256Stream digest;
  CopiedFile copied;
  const auto take = [&](std::string_view piece) {
    digest.Add(piece);
    return WriteAll(target.fd(), piece, to);
  };
  LOGQUERY_ASSIGN_OR_RETURN(copied.bytes, ForEachPiece(source.fd(), from, go_on, take));
  if (fsync(target.fd()) != 0) return ErrnoStatus(errno, to);
  copied.sha256 = digest.FinishHex();
  return copied;
}

absl::StatusOr<CopiedFile> SyncAndDigest(const File& file, const std::string& name, const GoOn& go_on) {
  if (fsync(file.fd()) != 0) return ErrnoStatus(errno, name);
  base::Sha256Stream digest;
  CopiedFile copied;
  const auto take = [&](std::string_view piece) {
    digest.Add(piece);
    return absl::OkStatus();
  };
  LOGQUERY_ASSIGN_OR_RETURN(copied.bytes, ForEachPiece(file.fd(), name, go_on, take));
  copied.sha256 = digest.FinishHex();
  return copied;
}

}  // namespace logquery::store
