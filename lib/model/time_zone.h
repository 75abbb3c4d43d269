// Converts between moments and what the clocks of a time zone show, by Abseil's zone database, which is the system's.
//
// Source: GoogleSQL's conversions, which are Abseil's civil times (`TimeInfo::pre`).
#ifndef LOGQUERY_LIB_MODEL_TIME_ZONE_H_
#define LOGQUERY_LIB_MODEL_TIME_ZONE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::model {

// The zone of a name, or of an offset (zone_offset.h). InvalidArgument: there is none. Fast for the name that this thread
// asked for last.
absl::StatusOr<absl::TimeZone> FindTimeZone(std::string_view name);

// Returns what clocks show at a moment; both in microseconds since 1970-01-01 00:00:00.
int64_t LocalMicros(int64_t moment, const absl::TimeZone& zone);

// Returns the moment at which clocks show this: the earlier one, where they show it twice; where they skip it, the one they would
// show it at, had they not been set forward yet.
int64_t MomentOfLocal(int64_t local, const absl::TimeZone& zone);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_TIME_ZONE_H_
