// A file of rows as its bytes: plain or gzip, a regular file or standard input.
//
// It is read twice: first for its digest, by which it is known, then for its rows. What can't be read twice is copied
// into the folder first.
#ifndef LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_
#define LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::store {

// A file descriptor that is closed in the end.
class File {
 public:
  File() = default;
  explicit File(int fd) : fd_(fd) {}
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept;
  ~File();
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// `errno` as a status: NotFound, PermissionDenied, ResourceExhausted for a full disk, else Internal.
absl::Status ErrnoStatus(int error, std::string_view what);

// All of `data`, also where the system takes it in pieces.
absl::Status WriteAll(int fd, std::string_view data, std::string_view what);

// Not thread-safe.
class InputFile {
 public:
  // `name` is a path, or "-" for standard input; `spool_folder` takes copies.
  // NotFound, PermissionDenied, InvalidArgument (a folder), ResourceExhausted (no room for the copy).
  static absl::StatusOr<std::unique_ptr<InputFile>> Open(const std::string& name, const std::string& spool_folder);
  ~InputFile();

  // SHA-256 of its bytes, in hexadecimal.
  const std::string& digest() const { return digest_; }
  int64_t size() const { return size_; }

  // Up to `size` bytes of text, decompressed; 0: the end. InvalidArgument: damaged gzip, with the offset of the byte.
  absl::StatusOr<size_t> Read(char* out, size_t size);
  // Reads from the beginning again.
  absl::Status Rewind();
  // How much of the file Read has used.
  int64_t position() const { return read_ - static_cast<int64_t>(gzip_.avail_in); }

  // Aborted: it is not the file any more that the digest was made of.
  absl::Status CheckUnchanged() const;

 private:
  InputFile(std::string name, File file) : name_(std::move(name)), file_(std::move(file)) {}
  absl::Status MakeDigest();
  absl::StatusOr<size_t> ReadBytes(char* out, size_t size);
  absl::StatusOr<size_t> ReadGzip(char* out, size_t size);
  absl::Status GzipError(std::string_view problem) const;

  const std::string name_;
  File file_;
  std::string digest_;
  int64_t size_ = 0;
  int64_t modified_ = 0;
  int64_t read_ = 0;
  bool is_gzip_ = false;
  z_stream gzip_{};
  bool in_member_ = false;
  std::unique_ptr<char[]> compressed_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_
