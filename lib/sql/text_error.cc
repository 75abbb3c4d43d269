// Finds lines and columns by code points, and builds the snippet with the caret.
#include "lib/sql/text_error.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"

namespace logquery::sql {
namespace {

// A line longer than this is cut, as some queries are one line of several kilobytes.
constexpr int64_t kSnippetCharacters = 120;
constexpr std::string_view kEllipsis = "…";

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The offset `count` code points before `offset`, at most back to `begin`.
size_t StepBack(std::string_view text, size_t offset, size_t begin, int64_t count) {
  while (offset > begin && count > 0) {
    --offset;
    if (!IsContinuation(text[offset])) --count;
  }
  return offset;
}

size_t StepForward(std::string_view text, size_t offset, size_t end, int64_t count) {
  while (offset < end && count > 0) {
    ++offset;
    while (offset < end && IsContinuation(text[offset])) ++offset;
    --count;
  }
  return offset;
}

// The line that `offset` is on, without its end.
Span FindLine(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r') --begin;
  const size_t end = std::min(text.find_first_of("\r\n", offset), text.size());
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

// Fit to be printed on one line: tabs would move the caret, broken bytes would break the reader.
void AppendPrintable(std::string_view text, std::string& out) {
  std::string valid;
  base::AppendValidUtf8(text, valid);
  for (const char c : valid) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
}

// The line around `offset`, and under it a caret.
std::string MakeSnippet(std::string_view text, size_t offset) {
  const Span line = FindLine(text, offset);
  const size_t begin = StepBack(text, offset, line.begin, kSnippetCharacters / 2);
  const size_t end = StepForward(text, offset, line.end, kSnippetCharacters / 2);
  std::string snippet;
  if (begin > line.begin) snippet += kEllipsis;
  AppendPrintable(text.substr(begin, offset - begin), snippet);
  const auto before_caret = static_cast<size_t>(base::CountCodePoints(snippet));
  AppendPrintable(text.substr(offset, end - offset), snippet);
  if (end < line.end) snippet += kEllipsis;
  return base::StrCat(snippet, "\n", std::string(before_caret, ' '), "^");
}

}  // namespace

TextPlace FindPlace(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  TextPlace place;
  for (size_t i = 0; i < offset; ++i) {
    const bool ends_line = text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'));
    if (ends_line) ++place.line;
  }
  const size_t begin = FindLine(text, offset).begin;
  place.column = 1 + static_cast<int>(base::CountCodePoints(text.substr(begin, offset - begin)));
  return place;
}

absl::Status TextErrorWithCode(absl::StatusCode code, std::string_view text, Span place, std::string_view message,
                               std::vector<std::string> nearest) {
  const size_t offset = std::min<size_t>(place.begin, text.size());
  const TextPlace found = FindPlace(text, offset);
  std::string full = base::StrCat(message, " at line ", found.line, ", column ", found.column);
  if (message.find("did you mean") == std::string_view::npos) full += DidYouMean(nearest);
  ErrorDetails details;
  details.line = found.line;
  details.column = found.column;
  details.snippet = MakeSnippet(text, offset);
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
