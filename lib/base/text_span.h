// A range of bytes in a text.
#ifndef LOGQUERY_LIB_BASE_TEXT_SPAN_H_
#define LOGQUERY_LIB_BASE_TEXT_SPAN_H_

#include <cstddef>

namespace logquery::base {

struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_TEXT_SPAN_H_
