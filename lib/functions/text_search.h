// Search for a text in another in time proportional to their lengths: std::string_view::find compares anew at each
// place, which takes the product of the lengths on texts such as 'aaaa…' and 'aaa…b'.
#ifndef LOGQUERY_LIB_FUNCTIONS_TEXT_SEARCH_H_
#define LOGQUERY_LIB_FUNCTIONS_TEXT_SEARCH_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/functions/function.h"

namespace logquery::functions {

// Returns the offset of the first occurrence of `part` that begins at `begin` or later; npos: there is none.
// `begin` is at most the size of the text.
size_t FindText(std::string_view text, std::string_view part, size_t begin = 0);

// Returns the parts of the text between the occurrences of the delimiter, which must not be empty; there is at least one part. They
// borrow the text.
TextList PartsBetween(std::string_view text, std::string_view delimiter);

// The offsets of all occurrences of a text in another, in order; they may overlap. Borrows both texts.
class Occurrences {
 public:
  // `part` must not be empty.
  Occurrences(std::string_view text, std::string_view part);

  // Returns the next offset; nullopt: there are no more.
  std::optional<size_t> Next();

 private:
  const std::string_view text_;
  const std::string_view part_;
  std::vector<size_t> borders_;  // of each prefix of the part: the length of its longest border
  size_t at_ = 0;
  size_t matched_ = 0;
};

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_TEXT_SEARCH_H_
