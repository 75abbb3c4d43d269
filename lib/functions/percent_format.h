// The elements of the formats that FORMAT_TIMESTAMP, PARSE_DATE and the like take: "%Y", "%E3S".
#ifndef LOGQUERY_LIB_FUNCTIONS_PERCENT_FORMAT_H_
#define LOGQUERY_LIB_FUNCTIONS_PERCENT_FORMAT_H_

#include <string_view>

namespace logquery::functions {

// Returns the length of the element that the format begins with: `%`, possibly E or O with digits or a star, and a letter. 0: the
// format ends within it.
inline size_t BytesOfPercentElement(std::string_view format) {
  size_t end = 1;
  if (end < format.size() && (format[end] == 'E' || format[end] == 'O')) {
    end = format.find_first_not_of("0123456789*", end + 1);
  }
  return end < format.size() ? end + 1 : 0;
}

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_PERCENT_FORMAT_H_
