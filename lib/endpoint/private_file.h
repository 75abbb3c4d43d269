// A file of secrets: for its owner alone, replaced as a whole.
#ifndef LOGQUERY_LIB_ENDPOINT_PRIVATE_FILE_H_
#define LOGQUERY_LIB_ENDPOINT_PRIVATE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::endpoint {

// Tells two states of a file apart without reading it: a replaced file has another inode, one written to another time.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = -1;  // -1: there is no file
  int64_t modified_nanos = 0;
  int64_t changed_nanos = 0;
  friend bool operator==(const FileStamp& a, const FileStamp& b) = default;
};

FileStamp StampOf(const std::string& path);

// The file's content, at the end of symbolic links. NotFound: there is none. FailedPrecondition: it is no plain file, it
// belongs neither to this process's user nor to root, or others than its owner may read or write it.
// PermissionDenied: this process may not read it. ResourceExhausted: it is over 16 MiB.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path);

// Keeps other writers of `path` away while it lives: an flock on PATH.lock, which stays behind. Waits for its turn. Where
// `path` is a symbolic link, the lock is that of the file at its end, so that all names of one file share it.
class FileLock {
 public:
  static absl::StatusOr<FileLock> Take(const std::string& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  // The file that is locked: `path`, its links followed. There may be none yet.
  const std::string& file() const { return file_; }

 private:
  FileLock(int fd, std::string file) : fd_(fd), file_(std::move(file)) {}
  int fd_;
  std::string file_;
};

// Replaces the locked file by one of mode 0600 with this content, by rename: a reader sees the old or the new one, and a
// crash leaves one of them. Symbolic links that lead to it stay.
absl::Status ReplacePrivateFile(const FileLock& lock, std::string_view content);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_PRIVATE_FILE_H_
