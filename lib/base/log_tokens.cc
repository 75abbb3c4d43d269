// A table lists the delimiter bytes; `%` may start a longer delimiter. Bytes above 127 are never delimiters.
#include "lib/base/log_tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logquery::base {
namespace {

constexpr std::array<bool, 256> kIsDelimiter = [] {
  std::array<bool, 256> is_delimiter{};
  for (const char c : std::string_view("[]<>(){}|!;,'\"*&?+/:=@.-$%\\_ \n\r\t\v\f")) {
    is_delimiter[static_cast<uint8_t>(c)] = true;
  }
  return is_delimiter;
}();

bool IsDelimiter(char c) { return kIsDelimiter[static_cast<uint8_t>(c)]; }

// The characters that follow `%` in a delimiter of three bytes, in upper case.
constexpr std::array<std::string_view, 14> kEncoded = {"20", "21", "26", "28", "29", "2B", "2C",
                                                       "0A", "3A", "3B", "3D", "5B", "5D", "7C"};

char ToUpperHex(char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

size_t DelimiterAt(std::string_view text, size_t offset) {
  if (offset >= text.size() || !IsDelimiter(text[offset])) return 0;
  if (text[offset] != '%') return 1;
  const std::string_view rest = text.substr(offset + 1);
  if (rest.starts_with("2520") || rest.starts_with("2526")) return 5;
  if (rest.size() < 2) return 1;
  const std::array<char, 2> code = {ToUpperHex(rest[0]), ToUpperHex(rest[1])};
  return std::find(kEncoded.begin(), kEncoded.end(), std::string_view(code.data(), code.size())) == kEncoded.end() ? 1
                                                                                                                   : 3;
}

bool IsBehindDelimiter(std::string_view text, size_t offset) {
  if (offset == 0 || IsDelimiter(text[offset - 1])) return true;
  return (offset >= 3 && DelimiterAt(text, offset - 3) == 3) || (offset >= 5 && DelimiterAt(text, offset - 5) == 5);
}

bool IsBeforeDelimiter(std::string_view text, size_t offset) {
  return offset >= text.size() || IsDelimiter(text[offset]);
}

bool TokenReader::Next(std::string_view& token) {
  for (size_t size = 0; (size = DelimiterAt(text_, offset_)) > 0;) offset_ += size;
  const size_t begin = offset_;
  while (offset_ < text_.size() && !IsDelimiter(text_[offset_])) ++offset_;
  token = text_.substr(begin, offset_ - begin);
  return !token.empty();
}

}  // namespace logquery::base
