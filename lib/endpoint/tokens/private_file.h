// Files that hold secrets: only their owner can read them, and each write replaces the whole file.
#ifndef LOGQUERY_LIB_ENDPOINT_TOKENS_PRIVATE_FILE_H_
#define LOGQUERY_LIB_ENDPOINT_TOKENS_PRIVATE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::endpoint {

// Distinguishes two states of a file without reading it: a replaced file has another inode, a rewritten one another
// time.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = -1;  // -1: there is no file
  int64_t modified_nanos = 0;
  int64_t changed_nanos = 0;
  friend bool operator==(const FileStamp& a, const FileStamp& b) = default;
};

FileStamp StampOf(const std::string& path);

// Returns the content of the file, following symbolic links. NotFound: it does not exist. FailedPrecondition: it is not
// a regular file, is owned neither by this process's user nor by root, or is accessible to users other than its owner,
// except that its group may read it if this process is a member of that.
// PermissionDenied: this process can't read it. ResourceExhausted: it is larger than 16 MiB.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path);

// Excludes other writers of `path` while it lives, by an flock on PATH.lock, which is not deleted. Blocks until the
// lock is free. If `path` is a symbolic link, it locks the link's target, so that all names of a file share one lock.
class FileLock {
 public:
  static absl::StatusOr<FileLock> Take(const std::string& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  // The locked file: `path` with its links resolved. It need not exist yet.
  const std::string& file() const { return file_; }

 private:
  FileLock(int fd, std::string file) : fd_(fd), file_(std::move(file)) {}
  int fd_;
  std::string file_;
};

// Replaces the locked file by one of mode 0600 with this content, by rename: a reader, and a crash, see either the old
// file or the new one. Symbolic links to the file stay valid.
absl::Status ReplacePrivateFile(const FileLock& lock, std::string_view content);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TOKENS_PRIVATE_FILE_H_
