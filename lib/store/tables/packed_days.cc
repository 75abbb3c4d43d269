// Remembers for a while which tables had rows without packed records.
#include "lib/store/tables/packed_days.h"

#include "lib/store/tables/clustering.h"
#include "logquery/clock.h"

namespace logquery::store {

absl::Time PackedDays::From(const std::string& table) {
  {
    absl::MutexLock lock(&mutex_);
    const auto resting = resting_until_.find(table);
    if (resting != resting_until_.end()) {
      if (Clock::Real()->Monotonic() < resting->second) return absl::InfiniteFuture();
      resting_until_.erase(resting);
    }
  }
  return FirstOpenDay(Clock::Real()->Now());
}

void PackedDays::NoteMissing(const std::string& table) {
  absl::MutexLock lock(&mutex_);
  resting_until_[table] = Clock::Real()->Monotonic() + kRest;
}

}  // namespace logquery::store
