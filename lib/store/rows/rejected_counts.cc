// The first reasons are kept: which ones these are depends on the order of the rows only.
#include "lib/store/rows/rejected_counts.h"

#include <algorithm>

namespace logquery::store {

void RejectedCounts::Add(std::string_view reason, int64_t rows) {
  const auto found = rows_.find(reason);
  if (found != rows_.end()) {
    found->second += rows;
  } else if (reason == kOtherReasons || rows_.size() == kMaxReasons) {
    others_ += rows;
  } else {
    rows_.emplace(reason, rows);
  }
}

void RejectedCounts::Add(const std::vector<RejectedCount>& counts) {
  for (const RejectedCount& count : counts) Add(count.reason, count.rows);
}

std::vector<RejectedCount> RejectedCounts::Sorted() const {
  std::vector<RejectedCount> counts;
  for (const auto& [reason, rows] : rows_) counts.push_back({reason, rows});
  std::stable_sort(counts.begin(), counts.end(),
                   [](const RejectedCount& a, const RejectedCount& b) { return a.rows > b.rows; });
  if (others_ > 0) counts.push_back({std::string(kOtherReasons), others_});
  return counts;
}

void AddCounts(const std::vector<RejectedCount>& from, std::vector<RejectedCount>& to) {
  RejectedCounts counts(to);
  counts.Add(from);
  to = counts.Sorted();
}

}  // namespace logquery::store
