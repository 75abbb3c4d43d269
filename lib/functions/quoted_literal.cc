// Chooses the quote character, and escapes what it does not allow.
#include "lib/functions/quoted_literal.h"

#include "absl/strings/ascii.h"

namespace logquery::functions {
namespace {

constexpr char kHex[] = "0123456789abcdef";

char QuoteFor(std::string_view text) {
  const bool has_double = text.find('"') != std::string_view::npos;
  return has_double && text.find('\'') == std::string_view::npos ? '\'' : '"';
}

void AppendEscaped(std::string_view text, char quote, bool bytes, std::string& out) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\n':
        out += "\\n";
        continue;
      case '\r':
        out += "\\r";
        continue;
      case '\t':
        out += "\\t";
        continue;
      case '\\':
        out += "\\\\";
        continue;
      default:
        break;
    }
    if (quote != 0 && c == quote) {
      out += '\\';
      out += c;
    } else if (absl::ascii_isprint(byte) || (byte >= 0x80 && !bytes)) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
}

std::string Quoted(std::string_view text, bool bytes) {
  const char quote = QuoteFor(text);
  std::string out(1, quote);
  AppendEscaped(text, quote, bytes, out);
  return out + quote;
}

}  // namespace

std::string QuotedString(std::string_view text) { return Quoted(text, false); }
std::string QuotedBytes(std::string_view bytes) { return Quoted(bytes, true); }

std::string EscapedBytesText(std::string_view bytes) {
  std::string out;
  AppendEscaped(bytes, 0, true, out);
  return out;
}

}  // namespace logquery::functions
