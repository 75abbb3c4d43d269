// Validates, counts and repairs UTF-8 from outside.
//
// Well-formed by the Unicode standard's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef LOGQUERY_LIB_BASE_UTF8_H_
#define LOGQUERY_LIB_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace logquery::base {

struct CodePoint {
  char32_t value = 0xFFFD;
  int bytes = 1;  // its length; for invalid text that of the maximal subpart, at least 1
  bool valid = false;
};

// Decodes the code point at `offset`, which must be within `text`.
CodePoint DecodeUtf8(std::string_view text, size_t offset);

bool IsAscii(std::string_view text);
bool IsValidUtf8(std::string_view text);

// Counts the code points in `text`; each invalid part counts as one.
int64_t CountCodePoints(std::string_view text);

// Appends `code_point`, which must be a Unicode scalar value.
void AppendUtf8(char32_t code_point, std::string& out);

// Appends `text` with each invalid part replaced by U+FFFD.
void AppendValidUtf8(std::string_view text, std::string& out);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_UTF8_H_
