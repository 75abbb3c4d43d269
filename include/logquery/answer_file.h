// The bytes of an answer that is too long for memory. They are in an unnamed file that only this process can read. The
// file disappears when its last owner releases it, or when the process ends for any reason.
//
//     std::string piece(64 << 10, '\0');
//     absl::StatusOr<size_t> read = answer->file->ReadAt(offset, piece.data(), piece.size());
//
// Thread-safe: immutable.
#ifndef LOGQUERY_ANSWER_FILE_H_
#define LOGQUERY_ANSWER_FILE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"

namespace logquery {

class AnswerFile {
 public:
  virtual ~AnswerFile() = default;
  virtual int64_t size() const = 0;
  // Reads up to `bytes` bytes from `offset` into `to`. Returns the number of bytes read; 0 only at the end.
  // Unavailable: reading from the disk failed.
  virtual absl::StatusOr<size_t> ReadAt(int64_t offset, char* to, size_t bytes) const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_ANSWER_FILE_H_
