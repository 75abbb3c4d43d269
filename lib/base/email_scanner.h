// Finds the e-mail addresses in a text, from left to right, in linear time.
//
// Before the @, or the %40 of a URL, an address has a name of letters, digits, ._%+-' and non-ASCII characters. After
// it there are at least two labels of letters, digits, - and non-ASCII characters; the last label has two or more bytes
// and not only digits. Dots, dashes and apostrophes at either end belong to the surrounding sentence.
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

  // Returns the next address.
  std::optional<TextSpan> Next();

 private:
  // Returns the start of the next @ or %40 from position_ on; the end of the text if there is none.
  size_t FindAt();
  size_t BeginOfName(size_t at) const;
  // Returns the end of the domain that starts at `begin`; `begin` if there is none.
  size_t EndOfDomain(size_t begin) const;

  std::string_view text_;
  size_t position_ = 0;             // bytes before this are not examined again
  std::optional<size_t> plain_at_;  // the next @, so that it is searched only once, however many %40 precede it
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_EMAIL_SCANNER_H_
