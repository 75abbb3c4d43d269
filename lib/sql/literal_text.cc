// Decodes escapes and line ends by GoogleSQL's lexical rules.
#include "lib/sql/literal_text.h"

#include <cstdint>
#include <optional>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {
namespace {

bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

std::optional<uint32_t> DigitValue(char c, uint32_t base) {
  uint32_t value = base;
  if (c >= '0' && c <= '9') value = static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<uint32_t>(c - 'A') + 10;
  return value < base ? std::optional<uint32_t>(value) : std::nullopt;
}

// Returns the character that a one-letter escape represents.
std::optional<char> SimpleEscape(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '?':
    case '"':
    case '\'':
    case '`':
      return letter;
    default:
      return std::nullopt;
  }
}

// Escapes given by digits: \ooo, \xhh, \uhhhh, \Uhhhhhhhh.
struct NumericEscape {
  size_t prefix;  // characters between the backslash and the digits
  size_t digits;
  uint32_t base;
  std::string_view rule;
};

std::optional<NumericEscape> FindNumericEscape(char letter) {
  switch (letter) {
    case 'x':
    case 'X':
      return NumericEscape{1, 2, 16, "\\x wants two hexadecimal digits"};
    case 'u':
      return NumericEscape{1, 4, 16, "\\u wants four hexadecimal digits"};
    case 'U':
      return NumericEscape{1, 8, 16, "\\U wants eight hexadecimal digits"};
    case '0':
    case '1':
    case '2':
    case '3':
      return NumericEscape{0, 3, 8, "an octal escape wants three digits"};
    default:
      return std::nullopt;
  }
}

class Decoder {
 public:
  Decoder(std::string_view text, Span content, const QuoteStyle& style, std::string& out)
      : text_(text), at_(content.begin), end_(content.end), style_(style), out_(out) {}

  absl::Status Run() {
    while (at_ < end_ && status_.ok()) {
      const char c = text_[at_];
      if (c == '\\') {
        style_.raw ? CopyRawPair() : ResolveEscape();
      } else if (c == '\r') {
        CopyLineEnd();
      } else {
        // A quote in here that is not escaped is one of a doubled pair, or, in a triple-quoted text, itself.
        const bool doubled = c == style_.quote && !style_.triple;
        out_ += c;
        at_ += doubled ? 2 : 1;
      }
    }
    return status_;
  }

 private:
  void Fail(std::string_view message, size_t length) {
    const auto begin = static_cast<uint32_t>(at_);
    status_ = TextError(text_, {begin, begin + static_cast<uint32_t>(length)}, message);
  }

  void CopyRawPair() {
    out_.append(text_.substr(at_, 2));
    at_ += 2;
  }

  // Every line end is \n in the value, whatever the editor wrote.
  void CopyLineEnd() {
    out_ += '\n';
    at_ += at_ + 1 < end_ && text_[at_ + 1] == '\n' ? 2 : 1;
  }

  void ResolveEscape() {
    const char letter = text_[at_ + 1];
    if (const std::optional<char> simple = SimpleEscape(letter)) {
      out_ += *simple;
      at_ += 2;
    } else if (const std::optional<NumericEscape> numeric = FindNumericEscape(letter)) {
      ResolveNumeric(*numeric);
    } else {
      const auto length = static_cast<size_t>(base::DecodeUtf8(text_, at_ + 1).bytes);
      const std::string_view what = IsLineEnd(letter) ? "line end" : text_.substr(at_ + 1, length);
      Fail(base::StrCat("Syntax error: illegal escape sequence: \\", what,
                        "; write \\\\ for a backslash, or a raw string r'…'"),
           1 + length);
    }
  }

  void ResolveNumeric(const NumericEscape& escape) {
    const size_t first = at_ + 1 + escape.prefix;
    uint32_t value = 0;
    for (size_t i = 0; i < escape.digits; ++i) {
      const std::optional<uint32_t> digit = first + i < end_ ? DigitValue(text_[first + i], escape.base) : std::nullopt;
      if (!digit.has_value()) return Fail(base::StrCat("Syntax error: illegal escape sequence: ", escape.rule), 2);
      value = value * escape.base + *digit;
    }
    const bool is_unicode = escape.digits == 4 || escape.digits == 8;
    if (style_.bytes && is_unicode) return Fail("Syntax error: illegal escape sequence: bytes have no \\u and \\U", 2);
    if (is_unicode && (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))) {
      return Fail("Syntax error: illegal escape sequence: not a Unicode character", 2 + escape.digits);
    }
    // In a string, \xhh and \ooo are code points, not bytes of UTF-8.
    style_.bytes ? out_.push_back(static_cast<char>(value)) : base::AppendUtf8(static_cast<char32_t>(value), out_);
    at_ = first + escape.digits;
  }

  const std::string_view text_;
  size_t at_;
  const size_t end_;
  const QuoteStyle& style_;
  std::string& out_;
  absl::Status status_;
};

}  // namespace

size_t FindClosingQuote(std::string_view text, size_t begin, const QuoteStyle& style) {
  for (size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
      if (!style.triple && at < text.size() && IsLineEnd(text[at])) return std::string_view::npos;
    } else if (c == style.quote) {
      const bool doubled = at + 1 < text.size() && text[at + 1] == c;
      if (style.triple ? doubled && at + 2 < text.size() && text[at + 2] == c : !doubled || c == '`') return at;
      if (!style.triple) ++at;
    } else if (IsLineEnd(c) && !style.triple) {
      return std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

absl::Status DecodeQuoted(std::string_view text, Span content, const QuoteStyle& style, std::string& out) {
  return Decoder(text, content, style, out).Run();
}

}  // namespace logquery::sql
