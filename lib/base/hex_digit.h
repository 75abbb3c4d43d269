// The value of a hexadecimal digit.
#ifndef LOGQUERY_LIB_BASE_HEX_DIGIT_H_
#define LOGQUERY_LIB_BASE_HEX_DIGIT_H_

namespace logquery::base {

// Returns -1 for a character that is no hexadecimal digit.
constexpr int HexDigitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_HEX_DIGIT_H_
