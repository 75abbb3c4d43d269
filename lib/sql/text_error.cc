// Adds the place to the message, and its line to the details.
#include "lib/sql/text_error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "logquery/error.h"

namespace logquery::sql {

absl::Status TextErrorWithCode(absl::StatusCode code, std::string_view text, Span place, std::string_view message,
                               std::vector<std::string> nearest) {
  const size_t offset = std::min<size_t>(place.begin, text.size());
  const base::TextPlace found = base::FindPlace(text, offset);
  std::string full = base::StrCat(message, " at line ", found.line, ", column ", found.column);
  if (message.find("did you mean") == std::string_view::npos) full += DidYouMean(nearest);
  ErrorDetails details;
  details.line = found.line;
  details.column = found.column;
  details.snippet = base::SnippetWithCaret(text, offset);
  details.nearest = std::move(nearest);
  return WithErrorDetails(absl::Status(code, full), details);
}

absl::Status TextError(std::string_view text, Span place, std::string_view message, std::vector<std::string> nearest) {
  return TextErrorWithCode(absl::StatusCode::kInvalidArgument, text, place, message, std::move(nearest));
}

std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names) {
  return base::NearestNames(wanted, names);
}

std::string DidYouMean(const std::vector<std::string>& nearest) { return base::DidYouMean(nearest); }

}  // namespace logquery::sql
