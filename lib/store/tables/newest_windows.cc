// Grows windows by the ratio of wanted to found rows; a failed window costs at most a quarter of the next.
#include "lib/store/tables/newest_windows.h"

#include <algorithm>

#include "lib/base/status_macros.h"

namespace logquery::store {
namespace {

// A margin, because the remaining rows may be less evenly distributed than those seen so far.
constexpr double kMargin = 1.5;
// Each failed window costs at most a quarter of the next one.
constexpr double kLeastGrowth = 4;
constexpr double kMostGrowth = 64;

}  // namespace

HourWindows::HourWindows(std::shared_ptr<const HourCounts> counts, const Wanted& wanted, absl::Time packed_from)
    : counts_(std::move(counts)), wanted_(wanted), packed_from_(packed_from) {
  SetFloor();
  const bool is_enough =
      wanted_.not_before >= packed_from_ || counts_->FloorOf(wanted_.rows, wanted_.not_after) >= packed_from_;
  if (!is_enough) packed_from_ = absl::InfiniteFuture();
}

void HourWindows::Grow(int64_t found) {
  const double missing = static_cast<double>(wanted_.rows) / static_cast<double>(std::max<int64_t>(found, 1));
  const double growth = std::clamp(missing * kMargin, kLeastGrowth, kMostGrowth);
  // No table has more rows than that.
  constexpr double kMost = 1e15;
  window_rows_ = static_cast<int64_t>(std::min(static_cast<double>(window_rows_) * growth, kMost));
  const absl::Time before = floor_;
  SetFloor();
  if (floor_ >= before) floor_ = absl::InfinitePast();
}

void HourWindows::SetFloor() {
  floor_ = counts_->FloorOf(window_rows_, wanted_.not_after);
  // When most of what there is would be read anyway, it is read at once.
  if (floor_ <= wanted_.not_before || counts_->FloorOf(2 * window_rows_, wanted_.not_after) <= wanted_.not_before) {
    floor_ = absl::InfinitePast();
  }
}

absl::StatusOr<std::unique_ptr<duckdb::NewestWindows>> NewestOfTable::OpenWindows(
    duckdb_connection connection, const duckdb::DataVersion::Stamp& stamp,
    const duckdb::NewestWindows::Wanted& wanted) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const HourCounts> counts, counts_->Get(table_, connection, stamp));
  packed_from_ = packed_->From(table_.name, project_);
  last_ = wanted.not_after;
  return std::make_unique<HourWindows>(std::move(counts), wanted, packed_from_);
}

}  // namespace logquery::store
