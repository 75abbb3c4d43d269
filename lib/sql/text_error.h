// Errors with a place in a query's text.
#ifndef LOGQUERY_LIB_SQL_TEXT_ERROR_H_
#define LOGQUERY_LIB_SQL_TEXT_ERROR_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/sql/ast.h"
#include "logquery/error.h"

namespace logquery::sql {

// Returns InvalidArgument "MESSAGE at line L, column C; ADVICE" with ErrorDetails: line, column, `nearest`, and the line of the
// text (cut to 120 characters around the place) with a caret below. Appends DidYouMean(nearest) unless MESSAGE already
// has it.
absl::Status TextError(std::string_view text, Span place, std::string_view message,
                       std::vector<std::string> nearest = {});

// The same with another code, such as Unimplemented.
absl::Status TextErrorWithCode(absl::StatusCode code, std::string_view text, Span place, std::string_view message,
                               std::vector<std::string> nearest = {});

// Returns the error with `reason` in its details.
absl::Status WithReason(absl::Status error, ErrorReason reason);

// Returns up to three of `names` with the smallest edit distance from `wanted`, ignoring case, the closest first. Names
// that differ in more than a third of their letters are excluded, but 2 edits are always allowed for names of 4 or more
// letters. Swapping two adjacent letters is one edit.
std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names);

// Returns "; did you mean a, b or c?", or an empty text.
std::string DidYouMean(const std::vector<std::string>& nearest);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_TEXT_ERROR_H_
