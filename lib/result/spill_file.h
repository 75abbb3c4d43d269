// An unnamed file, accessible only to its owner, that is written once and then read.
#ifndef LOGQUERY_LIB_RESULT_SPILL_FILE_H_
#define LOGQUERY_LIB_RESULT_SPILL_FILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/answer_file.h"

namespace logquery::result {

class SpillFile final : public AnswerFile {
 public:
  // Unavailable: no file can be created in `folder`. Messages contain no path, because callers may read them.
  static absl::StatusOr<std::unique_ptr<SpillFile>> Create(const std::string& folder);
  // Creates one in memory. Unavailable: the system allows no further file.
  static absl::StatusOr<std::unique_ptr<SpillFile>> CreateInMemory();
  ~SpillFile() override;
  SpillFile(const SpillFile&) = delete;

  // Unavailable: it can't be written, for example because the disk is full. Must not be called once other threads may
  // read.
  absl::Status Append(std::string_view bytes);

  // The name under which this process can open the file once more, to write it by other means than Append.
  std::string path() const;
  // Sets size() to the length that the file has now. Unavailable: the system does not tell.
  absl::Status ReadSize();

  int64_t size() const override { return size_; }
  absl::StatusOr<size_t> ReadAt(int64_t offset, char* to, size_t bytes) const override;

 private:
  explicit SpillFile(int fd) : fd_(fd) {}

  const int fd_;
  int64_t size_ = 0;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_SPILL_FILE_H_
