// Copies rows of a borrowed batch, so that they outlive the call that passes it.
//
//     const OwnedBatch copy(batch, 0, batch.rows());
//     queue.push_back(std::move(copy));  // later: queue.front().batch()
#ifndef LOGQUERY_LIB_RESULT_BATCH_COPY_H_
#define LOGQUERY_LIB_RESULT_BATCH_COPY_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "logquery/batch.h"

namespace logquery::result {

class OwnedBatch {
 public:
  // Copies the rows `begin` to `end` - 1.
  OwnedBatch(const Batch& batch, int64_t begin, int64_t end);
  ~OwnedBatch();
  OwnedBatch(OwnedBatch&&) noexcept;
  OwnedBatch& operator=(OwnedBatch&&) noexcept;

  // Valid while this object lives, also after it was moved.
  Batch batch() const;
  // The memory of the rows.
  size_t bytes() const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

// Returns the memory that a copy of the row takes, or at least `limit` if it takes more than that.
size_t CopiedBytes(const Batch& batch, int64_t row, size_t limit);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_BATCH_COPY_H_
