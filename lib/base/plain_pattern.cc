// Reads a pattern as characters that stand for themselves; a backslash before punctuation does not make an operator.
#include "lib/base/plain_pattern.h"

#include "absl/strings/ascii.h"

namespace logquery::base {

std::optional<PlainPattern> PlainPatternOf(std::string_view pattern) {
  constexpr std::string_view kOperators = R"(\.+*?()|[]{}^$)";
  PlainPattern plain;
  plain.at_beginning = pattern.starts_with('^');
  for (size_t i = plain.at_beginning ? 1 : 0; i < pattern.size(); ++i) {
    const bool is_last = i + 1 == pattern.size();
    if (pattern[i] == '$' && is_last) {
      plain.at_end = true;
      return plain;
    }
    if (pattern[i] == '\\' && !is_last && absl::ascii_ispunct(static_cast<unsigned char>(pattern[i + 1]))) {
      ++i;
    } else if (kOperators.find(pattern[i]) != std::string_view::npos) {
      return std::nullopt;
    }
    plain.text += pattern[i];
  }
  return plain;
}

}  // namespace logquery::base
