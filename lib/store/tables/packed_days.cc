// Remembers for a while until when rows had no packed records.
#include "lib/store/tables/packed_days.h"

#include "lib/store/tables/clustering.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

absl::Time NextDay(absl::Time time) { return absl::UnixEpoch() + absl::Floor(time - absl::UnixEpoch(), kDay) + kDay; }

}  // namespace

absl::Time PackedDays::From(const std::string& table, const std::optional<std::string>& project) {
  absl::MutexLock lock(&mutex_);
  const auto missing = missing_.find({table, project});
  if (missing == missing_.end()) return absl::InfinitePast();
  if (clock_->Monotonic() < missing->second.resting_until) return missing->second.until;
  missing_.erase(missing);
  return absl::InfinitePast();
}

void PackedDays::NoteMissing(const std::string& table, const std::optional<std::string>& project, absl::Time from,
                             absl::Time last) {
  const absl::Time open = FirstOpenDay(clock_->Now());
  Missing noted = {last < open ? NextDay(last) : open, clock_->Monotonic() + kRestOfClosedDays};
  if (from >= open) noted = {absl::InfiniteFuture(), clock_->Monotonic() + kRest};
  absl::MutexLock lock(&mutex_);
  if (missing_.size() >= kMostProjects) missing_.clear();
  missing_[{table, project}] = noted;
}

}  // namespace logquery::store
