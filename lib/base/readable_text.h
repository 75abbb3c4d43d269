// Formats numbers, sizes and times for people.
#ifndef LOGQUERY_LIB_BASE_READABLE_TEXT_H_
#define LOGQUERY_LIB_BASE_READABLE_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"

namespace logquery::base {

std::string WithCommas(int64_t number);         // "1,234,567"
std::string BytesText(int64_t bytes);           // "1.4 GB", in powers of 1000
std::string DurationText(absl::Duration time);  // "38 ms", "4.2 s", "3 min 5 s"

// Returns "12.345": milliseconds with three digits after the point, as `%.3f` has them.
std::string MillisecondsText(absl::Duration time);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_READABLE_TEXT_H_
