// Parses the format of CAST(… AS … FORMAT '…') between times and text into elements.
//
// Source: GoogleSQL's format elements for dates and times. Elements match in any case; the case of MONTH, DAY and
// similar elements determines the case of the printed name.
#ifndef LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_
#define LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/type.h"

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
  std::string text;  // as written; for a literal, its text
  int digits = 0;    // of a year or a fraction; of a name: 3 for the short form
};

inline constexpr std::array<std::string_view, 12> kMonthNames = {"January",   "February", "March",    "April",
                                                                 "May",       "June",     "July",     "August",
                                                                 "September", "October",  "November", "December"};

// The parts that a type has, as a sum of these.
enum FormatKind : int { kDateParts = 1, kTimeParts = 2, kZoneParts = 4 };

// Returns the parts that values of the type have; 0: it is no type of dates and times.
int FormatKindsOf(const Type& type);

// InvalidArgument: text that is not an element, or an element that types of `kinds` do not have.
absl::StatusOr<std::vector<FormatElement>> ParseCastFormat(std::string_view format, int kinds);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_CAST_FORMAT_H_
