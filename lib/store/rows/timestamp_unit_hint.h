// The years that a row's time may be in, and advice for numbers that are times of these years in another unit only.
#ifndef LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_UNIT_HINT_H_
#define LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_UNIT_HINT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/store/rows/arena.h"
#include "lib/store/rows/scalar_cast.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// In microseconds since 1970: from 2000 up to the end of 2100.
inline constexpr int64_t kFirstRowTime = 946'684'800'000'000;
inline constexpr int64_t kEndOfRowTimes = 4'133'980'800'000'000;

inline constexpr std::string_view kNotInRowTimes = "is not in the years 2000 to 2100";
inline constexpr std::string_view kTimestampUnitAdvice = "; --timestamp-unit ";

// Returns the end of an error's message about a time that was read in `unit`: ": 1772600000000 read as s is the year 58141;
// --timestamp-unit ms would be right". Empty: no unit makes it a time of these years, or the unit was not given.
std::string TimestampUnitHint(const JsonScalar& time, TimestampUnit unit, Arena& arena);

// Returns the end of that message without the time: "is not in the years 2000 to 2100; --timestamp-unit ms would be right".
std::string KindOfTime(std::string_view hint);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_UNIT_HINT_H_
