// A text in which characters that stand for those of an IP address read as the ASCII ones: decimal digits of any script,
// full-width dots and colons, and the dots, colons and brackets that a URL escapes (%2E, %3A, %5B, %5D, also escaped more
// than once: %253A). Scanners read the folded text, and Original maps what they find back.
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
  // nullopt: no character of `text` stands for another one. Linear in the text's length; allocates only for a text that
  // it folds.
  static std::optional<FoldedText> Of(std::string_view text);

  std::string_view text() const { return text_; }
  // The part of the original text that reads as the part `folded` of text().
  TextSpan Original(TextSpan folded) const { return {OriginalPlace(folded.begin), OriginalPlace(folded.end)}; }

 private:
  // The character at `place` of the folded text took the place of several bytes; behind it, the original is `ahead`
  // bytes further.
  struct Fold {
    size_t place;
    size_t ahead;
  };

  size_t OriginalPlace(size_t place) const;

  std::string text_;
  std::vector<Fold> folds_;  // by place
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_FOLDED_TEXT_H_
