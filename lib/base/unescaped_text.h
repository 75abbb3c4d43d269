// A text with its escapes undone until none is left: those of URLs (%2E, %252E), of JSON and programs (\u002e, \x2e,
// \056, \.), and of HTML (&#46;, &#x2e;, &period;), also inside one another (&amp;#46;, %26%2346%3B, \\u00252e).
// Scanners read the unescaped text; Original maps their findings to the original text.
#ifndef LOGQUERY_LIB_BASE_UNESCAPED_TEXT_H_
#define LOGQUERY_LIB_BASE_UNESCAPED_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/text_span.h"

namespace logquery::base {

class UnescapedText {
 public:
  // `%10.1.2.3` may be the escape %10 and `.1.2.3`, or a percent sign and an address. kNumbers reads two decimal digits
  // after a percent sign as digits, unless they are those of an escaped percent sign (%25).
  enum class Reading { kEscapes, kNumbers };

  // nullopt: `text` has no escapes. Takes linear time; allocates memory only for a text that has some.
  static std::optional<UnescapedText> Of(std::string_view text, Reading reading);

  std::string_view text() const { return text_; }
  // Returns the part of the original text that corresponds to the part `unescaped` of text().
  TextSpan Original(TextSpan unescaped) const { return {OriginalPlace(unescaped.begin), OriginalPlace(unescaped.end)}; }
  // Returns whether an escaped percent sign was among the escapes, so that the other reading may differ.
  bool had_percent() const { return had_percent_; }

 private:
  // After the character at `place`, the original is `ahead` bytes further.
  struct Change {
    size_t place;
    size_t ahead;
  };

  explicit UnescapedText(Reading reading) : reading_(reading) {}

  // Replaces the escape at the end of text_, if there is one, by its character. The original has been read up to
  // `end`.
  bool UndoLast(size_t end);
  size_t OriginalPlace(size_t place) const;

  const Reading reading_;
  std::string text_;
  std::vector<Change> changes_;  // ordered by place
  bool had_percent_ = false;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_UNESCAPED_TEXT_H_
