// Decides when a query must end to free memory, and when ending queries has not helped.
#include "lib/endpoint/call/memory_pressure.h"

namespace logquery::endpoint {

MemoryPressure::Action MemoryPressure::Look(absl::Duration now, int64_t resident_bytes, bool running) {
  if (resident_bytes <= limit_) {
    first_end_.reset();
    return kNothing;
  }
  if (first_end_ && now - *first_end_ >= patience_) {
    first_end_ = now;
    return kStuck;
  }
  if (!running) return kNothing;
  const bool settled = !first_end_ || now - last_end_ >= kGrace || resident_bytes - resident_at_last_end_ >= kGrowth;
  if (!settled) return kNothing;
  if (!first_end_) first_end_ = now;
  last_end_ = now;
  resident_at_last_end_ = resident_bytes;
  return kEndOne;
}

}  // namespace logquery::endpoint
