// Encodes and decodes byte by byte.
#include "lib/base/percent_encoding.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "lib/base/hex_digit.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::base {

bool IsUnreserved(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_' || c == '~';
}

std::string PercentEncode(std::string_view text, absl::FunctionRef<bool(char)> plain) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain(c)) {
      encoded += c;
    } else {
      encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return encoded;
}

absl::StatusOr<std::string> PercentDecode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 < text.size() ? HexDigitValue(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigitValue(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return absl::InvalidArgumentError(StrCat("the URL has a % that two hexadecimal digits don't follow: ",
                                                 text.substr(i, 3), "; a percent sign itself is %25"));
      }
      decoded.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      decoded.push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
    }
  }
  if (!IsValidUtf8(decoded)) return absl::InvalidArgumentError("the URL has escapes that are not UTF-8");
  return decoded;
}

}  // namespace logquery::base
