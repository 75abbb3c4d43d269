// The format of CAST(… AS … FORMAT '…') between times and text, as elements.
//
// Source: GoogleSQL's format elements for dates and times. Their letters match in any case; that of MONTH, DAY and the like says
// in which case a name is written.
#ifndef LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_
#define LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::functions {

enum class FormatPart {
  kLiteral,
  kSpace,
  kYear,
  kRoundYear,
  kMonth,
  kMonthName,
  kDay,
  kDayOfWeek,
  kDayOfYear,
  kDayName,
  kHour12,
  kHour24,
  kMeridian,
  kMinute,
  kSecond,
  kSecondOfDay,
  kFraction,
  kZoneHour,
  kZoneMinute,
};

struct FormatElement {
  FormatPart part = FormatPart::kLiteral;
  std::string text;  // as written; of a literal, what it stands for
  int digits = 0;    // of a year or a fraction; of a name: 3 for the short one
};

inline constexpr std::array<std::string_view, 12> kMonthNames = {"January",   "February", "March",    "April",
                                                                 "May",       "June",     "July",     "August",
                                                                 "September", "October",  "November", "December"};

// What a type has: a sum of these.
enum FormatKind : int { kDateParts = 1, kTimeParts = 2, kZoneParts = 4 };

// InvalidArgument: something that is no element, or that a type of `kinds` does not have.
absl::StatusOr<std::vector<FormatElement>> ParseCastFormat(std::string_view format, int kinds);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_
