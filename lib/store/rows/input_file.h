// Reads a file of rows as bytes: plain, gzip or zstd, a regular file or standard input.
//
// The file is read twice: first for its digest, which identifies it, then for its rows. Input that can't be read twice
// is first copied into the folder.
#ifndef LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_
#define LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_

#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::store {

// Owns a file descriptor and closes it.
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

// Converts `errno` to a status: NotFound, PermissionDenied, ResourceExhausted for a full disk, otherwise Internal.
absl::Status ErrnoStatus(int error, std::string_view what);

// Writes all of `data`, even if the system accepts it in pieces.
absl::Status WriteAll(int fd, std::string_view data, std::string_view what);

// Returns whether a file that begins with these bytes is gzip or zstd.
bool IsCompressed(std::string_view start);

// Not thread-safe.
class InputFile {
 public:
  // `name` is a path, or "-" for standard input; copies are put in `spool_folder`. NotFound, PermissionDenied,
  // InvalidArgument (a folder), ResourceExhausted (no space for the copy).
  static absl::StatusOr<std::unique_ptr<InputFile>> Open(const std::string& name, const std::string& spool_folder);
  ~InputFile();

  // Returns the SHA-256 of its bytes, in hexadecimal.
  const std::string& digest() const { return digest_; }
  int64_t size() const { return size_; }

  // Reads up to `size` bytes of uncompressed text; 0: the end. InvalidArgument: damaged gzip or zstd data, or zstd that needs a
  // window of more than 8 MiB; the message has the offset.
  absl::StatusOr<size_t> Read(char* out, size_t size);
  // Restarts at the beginning.
  absl::Status Rewind();
  // Returns how much of the file Read has consumed.
  int64_t position() const { return read_ - static_cast<int64_t>(gzip_.avail_in + (zstd_in_.size - zstd_in_.pos)); }

  // Aborted: the file has changed since the digest was computed.
  absl::Status CheckUnchanged() const;

 private:
  enum class Coding { kNone, kGzip, kZstd };
  struct FreeZstd {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  InputFile(std::string name, File file) : name_(std::move(name)), file_(std::move(file)) {}
  absl::Status MakeDigest();
  absl::StatusOr<size_t> ReadBytes(char* out, size_t size);
  absl::StatusOr<size_t> ReadGzip(char* out, size_t size);
  absl::StatusOr<size_t> ReadZstd(char* out, size_t size);
  absl::Status Damaged(std::string_view coding, std::string_view problem) const;

  const std::string name_;
  File file_;
  std::string digest_;
  int64_t size_ = 0;
  int64_t modified_ = 0;
  int64_t read_ = 0;
  Coding coding_ = Coding::kNone;
  z_stream gzip_{};
  std::unique_ptr<ZSTD_DCtx, FreeZstd> zstd_;  // while its text is read: it holds a window of up to 8 MiB
  ZSTD_inBuffer zstd_in_{};
  bool in_member_ = false;     // of gzip, or in a frame of zstd
  bool after_member_ = false;  // a member has ended
  std::unique_ptr<char[]> compressed_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_INPUT_FILE_H_
