// Remembers for a while which rows had no packed records.
#include "lib/store/tables/packed_days.h"

#include "lib/store/tables/clustering.h"

namespace logquery::store {

absl::Time PackedDays::From(const std::string& table, const std::optional<std::string>& project) {
  absl::MutexLock lock(&mutex_);
  if (project && !IsResting({table, project})) return absl::InfinitePast();
  return IsResting({table, std::nullopt}) ? absl::InfiniteFuture() : FirstOpenDay(clock_->Now());
}

void PackedDays::NoteMissing(const std::string& table, const std::optional<std::string>& project, absl::Time from) {
  const bool is_of_project = project && from == absl::InfinitePast();
  absl::MutexLock lock(&mutex_);
  if (resting_until_.size() >= kMostProjects) resting_until_.clear();
  resting_until_[{table, is_of_project ? project : std::nullopt}] =
      clock_->Monotonic() + (is_of_project ? kRestOfProject : kRest);
}

bool PackedDays::IsResting(const Rows& rows) {
  const auto resting = resting_until_.find(rows);
  if (resting == resting_until_.end()) return false;
  if (clock_->Monotonic() < resting->second) return true;
  resting_until_.erase(resting);
  return false;
}

}  // namespace logquery::store
