// Adds the place to the message, and its line to the details.
#include "lib/sql/text_error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "logquery/error.h"

namespace logquery::sql {
namespace {

// Returns the size of the part of a message that states the problem, without the advice after a semicolon: "% is not an
// operator; use MOD(a, b)". Quoted parts of a query may contain a semicolon, too.
size_t SizeOfProblem(std::string_view message) {
  char quote = 0;
  for (size_t i = 0; i + 1 < message.size(); ++i) {
    const char c = message[i];
    const char before = i == 0 ? ' ' : message[i - 1];
    const bool is_apostrophe = c == '\'' && quote == 0 && absl::ascii_isalnum(static_cast<unsigned char>(before));
    if (quote == 0 && (c == '"' || c == '`' || c == '\'') && !is_apostrophe) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && c == ';' && message[i + 1] == ' ' && before != ' ') {
      return i;
    }
  }
  return message.size();
}

}  // namespace

absl::Status TextErrorWithCode(absl::StatusCode code, std::string_view text, Span place, std::string_view message,
                               std::vector<std::string> nearest) {
  const size_t offset = std::min<size_t>(place.begin, text.size());
  const base::TextPlace found = base::FindPlace(text, offset);
  const size_t problem = SizeOfProblem(message);
  std::string full = base::StrCat(message.substr(0, problem), " at line ", found.line, ", column ", found.column,
                                  message.substr(problem));
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

absl::Status WithReason(absl::Status error, ErrorReason reason) {
  ErrorDetails details = GetErrorDetails(error);
  details.reason = reason;
  return WithErrorDetails(std::move(error), details);
}

std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names) {
  return base::NearestNames(wanted, names);
}

std::string DidYouMean(const std::vector<std::string>& nearest) { return base::DidYouMean(nearest); }

}  // namespace logquery::sql
