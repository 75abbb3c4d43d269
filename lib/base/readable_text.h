// Formats numbers, sizes and times for people.
#ifndef LOGQUERY_LIB_BASE_READABLE_TEXT_H_
#define LOGQUERY_LIB_BASE_READABLE_TEXT_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace logquery::base {

std::string WithCommas(int64_t number);  // "1,234,567"
// "1 row", "1,234 rows": `noun` is in the singular, and gets an s in the plural.
std::string CountedText(int64_t count, std::string_view noun);
template <std::integral Count>
std::string Counted(Count count, std::string_view noun) {
  return CountedText(static_cast<int64_t>(count), noun);
}
std::string BytesText(int64_t bytes);           // "1.4 GB", in powers of 1000
std::string DurationText(absl::Duration time);  // "38 ms", "4.2 s", "3 min 5 s"

// Returns "12.345": milliseconds with three digits after the point, as `%.3f` has them.
std::string MillisecondsText(absl::Duration time);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_READABLE_TEXT_H_
