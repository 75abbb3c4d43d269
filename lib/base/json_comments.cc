// Walks over strings and comments, and copies everything else.
#include "lib/base/json_comments.h"

#include <algorithm>

namespace logquery::base {
namespace {

// The offset behind the string that begins at `begin`.
size_t EndOfString(std::string_view text, size_t begin) {
  size_t at = begin + 1;
  while (at < text.size() && text[at] != '"' && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

}  // namespace

std::string BlankComments(std::string_view text) {
  std::string blank(text);
  for (size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    size_t end = at;
    if (text[at] == '"') {
      at = EndOfString(text, at);
      continue;
    }
    if (two == "//") end = std::min(text.find('\n', at), text.size());
    if (two == "/*") {
      const size_t close = text.find("*/", at + 2);
      if (close == text.npos) return blank;
      end = close + 2;
    }
    for (size_t i = at; i < end; ++i) {
      if (text[i] != '\n' && text[i] != '\r') blank[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return blank;
}

}  // namespace logquery::base
