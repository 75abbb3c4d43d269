// Finds the e-mail addresses in a text, from left to right, in time linear in its length.
//
// What is one: before the @, or the %40 of a URL, a name of letters, digits and ._%+-' and whatever is not ASCII; behind it
// at least two labels of letters, digits, - and whatever is not ASCII, the last of them of two bytes or more and not of
// digits alone. Dots, dashes and apostrophes at either end are the sentence's.
#ifndef LOGQUERY_LIB_BASE_EMAIL_SCANNER_H_
#define LOGQUERY_LIB_BASE_EMAIL_SCANNER_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "lib/base/text_span.h"

namespace logquery::base {

class EmailScanner {
 public:
  // Borrows `text`.
  explicit EmailScanner(std::string_view text) : text_(text) {}

  // The next address.
  std::optional<TextSpan> Next();

 private:
  // Where the next @ or %40 from position_ on begins; the text's end when there is none.
  size_t FindAt();
  size_t BeginOfName(size_t at) const;
  // The end of the domain that begins at `begin`; `begin` itself when there is none.
  size_t EndOfDomain(size_t begin) const;

  std::string_view text_;
  size_t position_ = 0;             // nothing before this is looked at again
  std::optional<size_t> plain_at_;  // the next @, so that it is looked for once however many %40 stand before it
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_EMAIL_SCANNER_H_
