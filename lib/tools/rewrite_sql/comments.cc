// Scans a query for comments, past its literals and quoted names.
#include "lib/tools/rewrite_sql/comments.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::tools {
namespace {

// The end of the literal or quoted name that begins at `at`.
size_t EndOfQuoted(std::string_view text, size_t at, bool clickhouse) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool is_triple = !clickhouse && quote != '`' && text.substr(at, 3) == triple;
  size_t i = at + (is_triple ? 3 : 1);
  while (i < text.size()) {
    // In a raw literal, too, a backslash keeps a quote from ending it.
    if (text[i] == '\\') {
      i += 2;
      continue;
    }
    if (is_triple ? text.substr(i, 3) == triple : text[i] == quote) return i + (is_triple ? 3 : 1);
    ++i;
  }
  return text.size();
}

}  // namespace

std::vector<clickhouse_sql::Comment> FindComments(std::string_view text, bool clickhouse) {
  std::vector<clickhouse_sql::Comment> comments;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'' || c == '"' || c == '`') {
      i = EndOfQuoted(text, i, clickhouse);
      continue;
    }
    const bool line = text.substr(i, 2) == "--" || c == '#';
    const bool block = text.substr(i, 2) == "/*";
    if (!line && !block) {
      ++i;
      continue;
    }
    const size_t found = line ? text.find('\n', i) : text.find("*/", i + 2);
    const size_t end = found == std::string_view::npos ? text.size() : line ? found : found + 2;
    std::string comment(text.substr(i, end - i));
    while (absl::ascii_isspace(static_cast<unsigned char>(comment.back()))) comment.pop_back();
    if (c == '#') comment = base::StrCat("--", comment.substr(1));
    comments.push_back({static_cast<uint32_t>(i), std::move(comment)});
    i = end;
  }
  return comments;
}

}  // namespace logquery::tools
