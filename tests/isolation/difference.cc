#include "tests/isolation/difference.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "lib/base/strings.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

std::string Shown(std::string_view text) {
  constexpr size_t kMost = 300;
  return text.size() <= kMost ? std::string(text) : base::StrCat(text.substr(0, kMost), "…");
}

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string_view> SortedLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string Said(const Answer& answer) {
  return answer.status.ok() ? base::StrCat("rows: ", Shown(answer.rows)) : Shown(answer.status.ToString());
}

}  // namespace

std::string WithoutValues(std::string_view message) {
  std::string kept;
  for (size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    if (c == '\'' || c == '"' || c == '`') {
      const size_t end = message.find(c, i + 1);
      // A value that holds a quote of its own, or that was cut short, reaches to the message's end.
      i = end == std::string_view::npos ? message.size() : end;
      kept += "'…'";
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 && (i == 0 || !IsWord(message[i - 1]))) {
      while (i + 1 < message.size() && (IsWord(message[i + 1]) || message[i + 1] == '.')) ++i;
      kept += '0';
    } else {
      kept += c;
    }
  }
  return kept;
}

std::string Difference(const Answer& a, const Answer& b) {
  if (a.status.code() != b.status.code()) return base::StrCat(Said(a), "\n  and\n  ", Said(b));
  if (!a.status.ok()) {
    if (WithoutValues(base::Message(a.status)) == WithoutValues(base::Message(b.status))) return "";
    return base::StrCat(Said(a), "\n  and\n  ", Said(b));
  }
  if (a.truncated || b.truncated) return "the rows are cut, so nothing can be said of them";
  if (a.rows == b.rows) return "";
  const std::vector<std::string_view> left = SortedLines(a.rows), right = SortedLines(b.rows);
  if (left.size() != right.size()) return base::StrCat(left.size(), " rows and ", right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i]) return base::StrCat(Shown(left[i]), "\n  and\n  ", Shown(right[i]));
  }
  return "";
}

std::string Leak(const Answer& answer) {
  const std::string message(base::Message(answer.status));
  for (const std::string_view text : {std::string_view(message), std::string_view(answer.rows)}) {
    for (const std::string_view marker : {kMarker, kNumberMarker}) {
      const size_t at = text.find(marker);
      if (at == std::string_view::npos) continue;
      return base::StrCat("a hidden row's value shows: ", Shown(text.substr(at < 100 ? 0 : at - 100)));
    }
  }
  return "";
}

}  // namespace logquery::isolation
