// The range of GoogleSQL's dates and times: the years 0001 to 9999.
#ifndef LOGQUERY_LIB_MODEL_CALENDAR_RANGE_H_
#define LOGQUERY_LIB_MODEL_CALENDAR_RANGE_H_

#include <cstdint>

namespace logquery::model {

// Days since 1970-01-01.
inline constexpr int32_t kFirstDay = -719'162;  // 0001-01-01
inline constexpr int32_t kLastDay = 2'932'896;  // 9999-12-31

// Microseconds since 1970-01-01 00:00:00.
inline constexpr int64_t kDayMicros = 86'400'000'000;
inline constexpr int64_t kFirstMicros = kFirstDay * kDayMicros;
inline constexpr int64_t kLastMicros = (kLastDay + 1) * kDayMicros - 1;

constexpr bool IsDayInRange(int64_t days) { return days >= kFirstDay && days <= kLastDay; }
constexpr bool IsTimeInRange(int64_t micros) { return micros >= kFirstMicros && micros <= kLastMicros; }

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_CALENDAR_RANGE_H_
