// The bytes of an answer that is too long to be held in memory. They stand in a file without a name, for this process alone,
// which is gone when the last who has it lets go, or the process ends in whatever way.
//
//     std::string piece(64 << 10, '\0');
//     absl::StatusOr<size_t> read = answer->file->ReadAt(offset, piece.data(), piece.size());
//
// Thread-safe: it never changes.
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
  // Reads up to `bytes` bytes from `offset` on; returns how many, 0 only at the end. Unavailable: the disk fails.
  virtual absl::StatusOr<size_t> ReadAt(int64_t offset, char* to, size_t bytes) const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_ANSWER_FILE_H_
