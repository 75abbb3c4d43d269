// Reads input files and small files of the folder, with errors that name the path.
#include "lib/store/rows/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd_errors.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::store {
namespace {

constexpr size_t kBufferBytes = 1 << 20;
constexpr int kMaxZstdWindowLog = 23;  // RFC 8878, 3.1.1.1.2: what every decoder should take

bool IsGzip(std::string_view start) { return start.substr(0, 2) == "\x1f\x8b"; }

// A frame, or one that decoders skip, with which parallel compressors begin.
bool IsZstd(std::string_view start) {
  if (start.substr(0, 4) == "\x28\xb5\x2f\xfd") return true;
  return start.size() >= 4 && (start[0] & '\xf0') == '\x50' && start.substr(1, 3) == "\x2a\x4d\x18";
}

// The time of the last change, to compare.
int64_t Modified(const struct stat& info) {
  return info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
}

absl::StatusOr<File> Spool(const File& from, const std::string& name, const std::string& folder) {
  std::string path = folder + "/input-XXXXXX";
  File copy(mkostemp(path.data(), O_CLOEXEC));
  if (!copy.is_open()) return ErrnoStatus(errno, base::StrCat("a copy of ", name, " in ", folder));
  unlink(path.c_str());  // gone with this process, whatever becomes of it
  const auto buffer = std::make_unique<char[]>(kBufferBytes);
  while (true) {
    const ssize_t size = read(from.fd(), buffer.get(), kBufferBytes);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoStatus(errno, name);
    if (size == 0) break;
    LOGQUERY_RETURN_IF_ERROR(WriteAll(copy.fd(), {buffer.get(), static_cast<size_t>(size)}, "a copy of the input"));
  }
  lseek(copy.fd(), 0, SEEK_SET);
  return copy;
}

}  // namespace

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) close(fd_);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

File::~File() {
  if (fd_ >= 0) close(fd_);
}

absl::Status ErrnoStatus(int error, std::string_view what) {
  const std::string message = base::StrCat(what, ": ", std::strerror(error));
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ELOOP:
      return absl::FailedPreconditionError(
          base::StrCat(what, " is a symbolic link, which is not followed: put what it points to in its place"));
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(base::StrCat("the disk is full: ", message));
    default:
      return absl::InternalError(message);
  }
}

absl::Status WriteAll(int fd, std::string_view data, std::string_view what) {
  while (!data.empty()) {
    const ssize_t size = write(fd, data.data(), data.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoStatus(errno, what);
    data.remove_prefix(static_cast<size_t>(size));
  }
  return absl::OkStatus();
}

bool IsCompressed(std::string_view start) { return IsGzip(start) || IsZstd(start); }

absl::StatusOr<std::unique_ptr<InputFile>> InputFile::Open(const std::string& name, const std::string& spool_folder) {
  File file(name == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return ErrnoStatus(errno, name);
  struct stat info;
  if (fstat(file.fd(), &info) != 0) return ErrnoStatus(errno, name);
  if (S_ISDIR(info.st_mode)) return absl::InvalidArgumentError(name + " is a folder");
  // Standard input may be a file that somebody has read a part of.
  if (!S_ISREG(info.st_mode) || name == "-") {
    LOGQUERY_ASSIGN_OR_RETURN(file, Spool(file, name, spool_folder));
  }
  std::unique_ptr<InputFile> input(new InputFile(name, std::move(file)));
  LOGQUERY_RETURN_IF_ERROR(input->MakeDigest());
  return input;
}

InputFile::~InputFile() {
  if (coding_ == Coding::kGzip) inflateEnd(&gzip_);
}

absl::Status InputFile::MakeDigest() {
  struct stat info;
  if (fstat(file_.fd(), &info) != 0) return ErrnoStatus(errno, name_);
  modified_ = Modified(info);
  base::Sha256Stream digest;
  compressed_ = std::make_unique<char[]>(kBufferBytes);
  while (true) {
    LOGQUERY_ASSIGN_OR_RETURN(const size_t size, ReadBytes(compressed_.get(), kBufferBytes));
    if (size == 0) break;
    const std::string_view bytes(compressed_.get(), size);
    if (size_ == 0) coding_ = IsGzip(bytes) ? Coding::kGzip : IsZstd(bytes) ? Coding::kZstd : Coding::kNone;
    digest.Add(bytes);
    size_ += static_cast<int64_t>(size);
  }
  digest_ = digest.FinishHex();
  read_ = 0;
  if (lseek(file_.fd(), 0, SEEK_SET) < 0) return ErrnoStatus(errno, name_);
  // 16 added to the window's bits: gzip's header, nothing else.
  if (coding_ == Coding::kGzip && inflateInit2(&gzip_, 15 + 16) != Z_OK) {
    return absl::InternalError("zlib does not start");
  }
  return absl::OkStatus();
}

absl::Status InputFile::Rewind() {
  if (lseek(file_.fd(), 0, SEEK_SET) < 0) return ErrnoStatus(errno, name_);
  read_ = 0;
  zstd_.reset();
  zstd_in_ = {};
  if (coding_ == Coding::kGzip) inflateReset(&gzip_);
  gzip_.avail_in = 0;
  in_member_ = after_member_ = false;
  return absl::OkStatus();
}

absl::StatusOr<size_t> InputFile::Read(char* out, size_t size) {
  if (coding_ == Coding::kGzip) return ReadGzip(out, size);
  return coding_ == Coding::kZstd ? ReadZstd(out, size) : ReadBytes(out, size);
}

absl::StatusOr<size_t> InputFile::ReadBytes(char* out, size_t size) {
  while (true) {
    const ssize_t got = read(file_.fd(), out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, name_);
    read_ += got;
    return static_cast<size_t>(got);
  }
}

// A file may be several gzip members one after another, with zeros behind them that fill a block.
absl::StatusOr<size_t> InputFile::ReadGzip(char* out, size_t size) {
  gzip_.next_out = reinterpret_cast<Bytef*>(out);
  gzip_.avail_out = static_cast<uInt>(size);
  while (gzip_.avail_out == size) {
    if (gzip_.avail_in == 0) {
      LOGQUERY_ASSIGN_OR_RETURN(const size_t got, ReadBytes(compressed_.get(), kBufferBytes));
      if (got == 0) {
        if (in_member_ || position() == 0) return Damaged("gzip", "ends too early");
        break;
      }
      gzip_.next_in = reinterpret_cast<Bytef*>(compressed_.get());
      gzip_.avail_in = static_cast<uInt>(got);
    }
    if (!in_member_ && after_member_ && *gzip_.next_in == 0) {
      ++gzip_.next_in;
      --gzip_.avail_in;
      continue;
    }
    in_member_ = true;
    const int result = inflate(&gzip_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      in_member_ = false;
      after_member_ = true;
      inflateReset(&gzip_);
    } else if (result != Z_OK) {
      return Damaged("gzip", gzip_.msg == nullptr ? "is damaged" : gzip_.msg);
    }
  }
  return size - gzip_.avail_out;
}

// A file may be several frames one after another.
absl::StatusOr<size_t> InputFile::ReadZstd(char* out, size_t size) {
  if (zstd_ == nullptr) {
    if (after_member_) return 0;
    zstd_.reset(ZSTD_createDCtx());
    if (!zstd_ || ZSTD_isError(ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, kMaxZstdWindowLog))) {
      return absl::InternalError("zstd does not start");
    }
  }
  ZSTD_outBuffer text{out, size, 0};
  while (text.pos == 0) {
    if (zstd_in_.pos == zstd_in_.size) {
      LOGQUERY_ASSIGN_OR_RETURN(const size_t got, ReadBytes(compressed_.get(), kBufferBytes));
      zstd_in_ = {compressed_.get(), got, 0};
      if (got == 0 && !in_member_) {
        zstd_.reset();
        after_member_ = true;
        return 0;
      }
    }
    const bool at_end = zstd_in_.size == 0;  // there may still be text that had no room before
    const size_t left = ZSTD_decompressStream(zstd_.get(), &text, &zstd_in_);
    if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge) {
      return Damaged("zstd", "it needs a window of more than 8 MiB; compress it without --long and --ultra");
    }
    if (ZSTD_isError(left)) return Damaged("zstd", ZSTD_getErrorName(left));
    in_member_ = left > 0;
    if (at_end && in_member_ && text.pos == 0) return Damaged("zstd", "ends too early");
  }
  return text.pos;
}

absl::Status InputFile::Damaged(std::string_view coding, std::string_view problem) const {
  return absl::InvalidArgumentError(
      base::StrCat(name_, " is damaged ", coding, " at byte ", position(), ": ", problem));
}

absl::Status InputFile::CheckUnchanged() const {
  struct stat info;
  if (fstat(file_.fd(), &info) != 0) return ErrnoStatus(errno, name_);
  if (info.st_size == size_ && Modified(info) == modified_) return absl::OkStatus();
  return absl::AbortedError(name_ + " changed while it was loaded; nothing of it is in");
}

}  // namespace logquery::store
