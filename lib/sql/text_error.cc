#include "lib/sql/text_error.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"

namespace logquery::sql {
namespace {

// A line longer than this is cut, as some queries are one line of several kilobytes.
constexpr int64_t kSnippetCharacters = 120;
constexpr std::string_view kEllipsis = "…";

constexpr size_t kMostNames = 3;
// No name is that long; it bounds the work for what is no name.
constexpr size_t kLongestName = 64;

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

// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

size_t AllowedEdits(size_t letters) {
  const size_t third = letters / 3;
  return letters >= 4 ? std::max<size_t>(third, 2) : third;
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
  if (wanted.size() > kLongestName) return {};
  const std::string lower = base::ToLower(wanted);
  const size_t allowed = AllowedEdits(lower.size());
  struct Candidate {
    size_t distance;
    const std::string* name;
  };
  std::vector<Candidate> candidates;
  for (const std::string& name : names) {
    if (name.size() > lower.size() + allowed || name.size() + allowed < lower.size()) continue;
    const size_t distance = EditDistance(lower, base::ToLower(name));
    if (distance <= allowed) candidates.push_back({distance, &name});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string> nearest;
  for (const Candidate& candidate : candidates) {
    const bool repeated = std::find(nearest.begin(), nearest.end(), *candidate.name) != nearest.end();
    if (!repeated) nearest.push_back(*candidate.name);
    if (nearest.size() == kMostNames) break;
  }
  return nearest;
}

std::string DidYouMean(const std::vector<std::string>& nearest) {
  if (nearest.empty()) return "";
  std::string text = "; did you mean ";
  for (size_t i = 0; i < nearest.size(); ++i) {
    if (i > 0) text += i + 1 == nearest.size() ? " or " : ", ";
    text += nearest[i];
  }
  return text + "?";
}

}  // namespace logquery::sql
