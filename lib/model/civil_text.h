// Dates, times and intervals as text, in the forms that GoogleSQL casts them to. On the row path: no zone is looked up.
#ifndef LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_
#define LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_

#include <cstdint>
#include <string>

#include "logquery/value.h"

namespace logquery::model {

// "2026-01-31", from days since 1970-01-01.
void AppendDate(int64_t days, std::string& out);

// "08:00:00", "08:00:00.250" or "08:00:00.000001", from microseconds since midnight: no, 3 or 6 digits of a fraction.
void AppendTime(int64_t micros, std::string& out);

// "2026-01-31T08:00:00" with `separator` in the middle, from microseconds since 1970-01-01T00:00:00.
void AppendDatetime(int64_t micros, char separator, std::string& out);

// "1-2 3 4:5:6.789", from its three parts, each with a sign of its own.
void AppendInterval(const Interval& interval, std::string& out);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_CIVIL_TEXT_H_
