// Regular expressions that stand for a text, and need no automaton.
#ifndef LOGQUERY_LIB_BASE_PLAIN_PATTERN_H_
#define LOGQUERY_LIB_BASE_PLAIN_PATTERN_H_

#include <optional>
#include <string>
#include <string_view>

namespace logquery::base {

// `^https://a\.b$` is the text https://a.b at the beginning and at the end of what is searched, thus the whole of it.
struct PlainPattern {
  std::string text;
  bool at_beginning = false;
  bool at_end = false;
};

// Returns the text of a pattern in RE2's syntax; nullopt: it has operators. The pattern need not be valid.
std::optional<PlainPattern> PlainPatternOf(std::string_view pattern);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_PLAIN_PATTERN_H_
