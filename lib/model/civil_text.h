// Formats dates, times and intervals as GoogleSQL's casts do. Fast, because no time zone is looked up.
#ifndef LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_
#define LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_

#include <cstdint>
#include <string>

#include "logquery/value.h"

namespace logquery::model {

// Formats days since 1970-01-01: "2026-01-31".
void AppendDate(int64_t days, std::string& out);

// Formats microseconds since midnight: "08:00:00", "08:00:00.250" or "08:00:00.000001", with 0, 3 or 6 fractional
// digits.
void AppendTime(int64_t micros, std::string& out);

// Formats microseconds since 1970-01-01T00:00:00: "2026-01-31T08:00:00" with `separator` in the middle.
void AppendDatetime(int64_t micros, char separator, std::string& out);

// Formats the three parts of an interval, each with its own sign: "1-2 3 4:5:6.789".
void AppendInterval(const Interval& interval, std::string& out);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_
