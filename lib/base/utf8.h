// UTF-8: checking, counting and repairing text that comes from outside.
//
// Well-formed as the Unicode standard's table 3-7 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef LOGQUERY_LIB_BASE_UTF8_H_
#define LOGQUERY_LIB_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace logquery::base {

struct CodePoint {
  char32_t value = 0xFFFD;
  int bytes = 1;  // how many belong to it; of broken text the maximal subpart, at least 1
  bool valid = false;
};

// The code point that begins at `offset`, which is within `text`.
CodePoint DecodeUtf8(std::string_view text, size_t offset);

bool IsValidUtf8(std::string_view text);

// Code points in `text`; each broken part counts as one.
int64_t CountCodePoints(std::string_view text);

// Appends `code_point`, which is a Unicode scalar value.
void AppendUtf8(char32_t code_point, std::string& out);

// Appends `text` with each broken part replaced by U+FFFD.
void AppendValidUtf8(std::string_view text, std::string& out);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_UTF8_H_
