// Compresses bytes as they arrive.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<Packer> packer, MakePacker(ContentCoding::kZstd, text.size()));
//     LOGQUERY_RETURN_IF_ERROR(packer->Add(text, packed));
//     LOGQUERY_RETURN_IF_ERROR(packer->Finish(packed));
//
// Not thread-safe.
#ifndef LOGQUERY_LIB_RESULT_PACKER_H_
#define LOGQUERY_LIB_RESULT_PACKER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/content_coding.h"

namespace logquery::result {

class Packer {
 public:
  virtual ~Packer() = default;
  // Appends the bytes that are ready to `out`. Unavailable: not enough memory.
  virtual absl::Status Add(std::string_view bytes, std::string& out) = 0;
  // Appends the remaining bytes. The packer can't be used afterwards.
  virtual absl::Status Finish(std::string& out) = 0;
};

// Creates a packer for `bytes` bytes in total. Unavailable: not enough memory. InvalidArgument: `coding` does not
// compress.
absl::StatusOr<std::unique_ptr<Packer>> MakePacker(ContentCoding coding, int64_t bytes);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_PACKER_H_
