// Cuts long lines around the place, and replaces what would move the caret.
#include "lib/base/text_snippet.h"

#include <algorithm>
#include <cstdint>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"

namespace logquery::base {
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

// Fit to be printed on one line: tabs would move the caret, broken bytes would break the reader.
void AppendPrintable(std::string_view text, std::string& out) {
  std::string valid;
  AppendValidUtf8(text, valid);
  for (const char c : valid) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
}

}  // namespace

TextSpan LineAround(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r') --begin;
  const size_t end = std::min(text.find_first_of("\r\n", offset), text.size());
  return {begin, end};
}

TextPlace FindPlace(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  TextPlace place;
  for (size_t i = 0; i < offset; ++i) {
    const bool ends_line = text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'));
    if (ends_line) ++place.line;
  }
  const size_t begin = LineAround(text, offset).begin;
  place.column = 1 + static_cast<int>(CountCodePoints(text.substr(begin, offset - begin)));
  return place;
}

std::string SnippetWithCaret(std::string_view text, size_t offset) {
  const TextSpan line = LineAround(text, offset);
  const size_t begin = StepBack(text, offset, line.begin, kSnippetCharacters / 2);
  const size_t end = StepForward(text, offset, line.end, kSnippetCharacters / 2);
  std::string snippet;
  if (begin > line.begin) snippet += kEllipsis;
  AppendPrintable(text.substr(begin, offset - begin), snippet);
  const auto before_caret = static_cast<size_t>(CountCodePoints(snippet));
  AppendPrintable(text.substr(offset, end - offset), snippet);
  if (end < line.end) snippet += kEllipsis;
  return StrCat(snippet, "\n", std::string(before_caret, ' '), "^");
}

absl::Status WithPlaceIn(std::string_view text, size_t offset, const absl::Status& status) {
  const TextPlace place = FindPlace(text, offset);
  ErrorDetails details = GetErrorDetails(status);
  details.line = place.line;
  details.column = place.column;
  details.snippet = SnippetWithCaret(text, std::min(offset, text.size()));
  return WithErrorDetails(status, details);
}

}  // namespace logquery::base
