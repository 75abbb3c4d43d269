// Parses time zones that are given as an offset from UTC.
#ifndef LOGQUERY_LIB_MODEL_ZONE_OFFSET_H_
#define LOGQUERY_LIB_MODEL_ZONE_OFFSET_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace logquery::model {

// Returns minutes east of UTC for "+08:00", "-3", "UTC+1" or "UTC+0530"; absent for names, and beyond 14 hours and 59
// minutes.
std::optional<int64_t> OffsetMinutes(std::string_view zone);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_ZONE_OFFSET_H_
