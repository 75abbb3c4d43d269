// A text in which substitutes for the characters of IP addresses are replaced by the ASCII characters: decimal digits
// of any script, full-width dots and colons, and dots, colons and brackets that are escaped as in a URL (%2E, %3A, %5B,
// %5D, also repeatedly: %253A). Scanners read the folded text; Original maps their findings to the original text.
#ifndef LOGQUERY_LIB_BASE_FOLDED_TEXT_H_
#define LOGQUERY_LIB_BASE_FOLDED_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/text_span.h"

namespace logquery::base {

class FoldedText {
 public:
  // nullopt: `text` has no such characters. Takes linear time; allocates memory only for a text that it folds.
  static std::optional<FoldedText> Of(std::string_view text);

  std::string_view text() const { return text_; }
  // Returns the part of the original text that corresponds to the part `folded` of text().
  TextSpan Original(TextSpan folded) const { return {OriginalPlace(folded.begin), OriginalPlace(folded.end)}; }

 private:
  // The character at `place` of the folded text replaces several bytes; after it, the original is `ahead` bytes
  // further.
  struct Fold {
    size_t place;
    size_t ahead;
  };

  size_t OriginalPlace(size_t place) const;

  std::string text_;
  std::vector<Fold> folds_;  // ordered by place
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_FOLDED_TEXT_H_
