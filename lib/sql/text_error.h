// Errors that point at their place in a query's text.
#ifndef LOGQUERY_LIB_SQL_TEXT_ERROR_H_
#define LOGQUERY_LIB_SQL_TEXT_ERROR_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/sql/ast.h"

namespace logquery::sql {

// Line and column from 1; columns are counted in code points. An offset beyond the text is the text's end.
struct TextPlace {
  int line = 1;
  int column = 1;
};
TextPlace FindPlace(std::string_view text, size_t offset);

// InvalidArgument "MESSAGE at line L, column C", with ErrorDetails: line, column, the text's line (cut to 120
// characters around the place) and a caret under it, and `nearest`. The message ends with DidYouMean(nearest) unless
// MESSAGE already asks that.
absl::Status TextError(std::string_view text, Span place, std::string_view message,
                       std::vector<std::string> nearest = {});

// The same with another code, such as Unimplemented.
absl::Status TextErrorWithCode(absl::StatusCode code, std::string_view text, Span place, std::string_view message,
                               std::vector<std::string> nearest = {});

// Up to three of `names` that are closest to `wanted` by edit distance without regard to case, the closest first; none
// that differs in more than a third of its letters (at least 2 edits are always allowed for names of 4 letters or
// more). A swap of neighbours is one edit.
std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names);

// "; did you mean a, b or c?", or nothing.
std::string DidYouMean(const std::vector<std::string>& nearest);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_TEXT_ERROR_H_
