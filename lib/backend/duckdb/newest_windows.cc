#include "lib/backend/duckdb/newest_windows.h"

#include <algorithm>

namespace logquery::duckdb {
namespace {

// What is there may be less even than it was so far.
constexpr double kMargin = 1.5;
// Each failed window costs at most a quarter of the next one.
constexpr double kLeastGrowth = 4;
constexpr double kMostGrowth = 64;

}  // namespace

void NewestWindows::Grow(int64_t found) {
  const double missing = static_cast<double>(wanted_.rows) / static_cast<double>(std::max<int64_t>(found, 1));
  const double growth = std::clamp(missing * kMargin, kLeastGrowth, kMostGrowth);
  // No table has more rows than that.
  constexpr double kMost = 1e15;
  window_rows_ = static_cast<int64_t>(std::min(static_cast<double>(window_rows_) * growth, kMost));
  const absl::Time before = floor_;
  SetFloor();
  if (floor_ >= before) floor_ = absl::InfinitePast();
}

void NewestWindows::SetFloor() {
  floor_ = counts_->FloorOf(window_rows_, wanted_.not_after);
  // When most of what there is would be read anyway, it is read at once.
  if (floor_ <= wanted_.not_before || counts_->FloorOf(2 * window_rows_, wanted_.not_after) <= wanted_.not_before) {
    floor_ = absl::InfinitePast();
  }
}

}  // namespace logquery::duckdb
