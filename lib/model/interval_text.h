// Parses INTERVAL literals, and the names of date parts.
#ifndef LOGQUERY_LIB_MODEL_INTERVAL_TEXT_H_
#define LOGQUERY_LIB_MODEL_INTERVAL_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/value.h"

namespace logquery::model {

// INTERVAL 5 DAY. InvalidArgument: no such part, or out of range.
absl::StatusOr<Interval> IntervalOfParts(int64_t count, std::string_view part);

// INTERVAL '1-2 3 4:5:6.7' YEAR TO SECOND; for INTERVAL '5' DAY `to` is empty.
absl::StatusOr<Interval> ParseIntervalText(std::string_view text, std::string_view from, std::string_view to);

// Returns whether each part is within 10,000 years, GoogleSQL's limit for an INTERVAL.
bool IsInRange(const Interval& interval);

// "DAY", "ISOWEEK", "WEEK(MONDAY)" …, upper case.
bool IsDatePart(std::string_view part);
const std::vector<std::string>& DatePartNames();

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_INTERVAL_TEXT_H_
