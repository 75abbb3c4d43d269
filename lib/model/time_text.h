// Parses dates and times in the forms of GoogleSQL's literals and casts.
//
// Source: GoogleSQL's lexical structure, "Date and time literals": YYYY-[M]M-[D]D, [H]H:[M]M:[S]S[.F…], both with a
// `T`, `t` or space between, and for timestamps an offset, `Z` or the name of a zone.
#ifndef LOGQUERY_LIB_MODEL_TIME_TEXT_H_
#define LOGQUERY_LIB_MODEL_TIME_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/value.h"

namespace logquery::model {

// Each returns InvalidArgument with the text and the valid form.
absl::StatusOr<Value> ParseDateText(std::string_view text);
absl::StatusOr<Value> ParseTimeText(std::string_view text);
absl::StatusOr<Value> ParseDatetimeText(std::string_view text);
// `zone` applies if the text has none: "UTC", "America/Los_Angeles", "+05:30".
absl::StatusOr<Value> ParseTimestampText(std::string_view text, std::string_view zone);
// NUMERIC or BIGNUMERIC from digits, a decimal point and an exponent.
absl::StatusOr<Value> ParseDecimalText(const Type& type, std::string_view text);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_TIME_TEXT_H_
