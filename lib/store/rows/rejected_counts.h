// Counts rejected rows by reason, for a bounded number of reasons.
//
// A reason names a field and holds no value of a row ("status is no INT64"), so that few reasons stand for any number of
// rows. Not thread-safe.
#ifndef LOGQUERY_LIB_STORE_ROWS_REJECTED_COUNTS_H_
#define LOGQUERY_LIB_STORE_ROWS_REJECTED_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/store/events.h"

namespace logquery::store {

class RejectedCounts {
 public:
  // The number of reasons that are counted each by itself. Rows that were rejected for further ones are counted together.
  static constexpr size_t kMaxReasons = 50;

  RejectedCounts() = default;
  explicit RejectedCounts(const std::vector<RejectedCount>& counts) { Add(counts); }

  void Add(std::string_view reason, int64_t rows = 1);
  void Add(const std::vector<RejectedCount>& counts);
  // Returns the counts, the largest first. The last one may be that of kOtherReasons.
  std::vector<RejectedCount> Sorted() const;

 private:
  std::map<std::string, int64_t, std::less<>> rows_;
  int64_t others_ = 0;
};

// Adds counts to those in `to`, which has the largest first again.
void AddCounts(const std::vector<RejectedCount>& from, std::vector<RejectedCount>& to);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_REJECTED_COUNTS_H_
