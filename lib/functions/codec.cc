// Converts BYTES to text and back: TO_BASE32 and similar functions, and CAST(… FORMAT 'HEX') between BYTES and STRING.
//
// Source: RFC 4648 for base16, base32 and base64; base64m breaks lines after 76 characters, as in RFC 2045. base2 and
// base8 take bits from the front; the first digit of base8 has the remaining bits.
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using absl::StatusOr;
using base::StrCat;

// Digits of so many bits each; `group` of them, filled up with =, belong together.
struct Alphabet {
  std::string_view name;
  std::string_view digits;
  unsigned bits;
  size_t group;
};

constexpr Alphabet kBase16{"base16", "0123456789abcdef", 4, 0};
constexpr Alphabet kBase32{"base32", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 8};
constexpr Alphabet kBase64{"base64", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 4};
constexpr Alphabet kBase2{"base2", "01", 1, 0};
constexpr Alphabet kBase8{"base8", "01234567", 3, 0};

constexpr size_t kMimeLine = 76;

// Encodes from the front, and fills an incomplete last digit up with zeros.
std::string Encoded(const Alphabet& alphabet, std::string_view bytes) {
  std::string text;
  unsigned pending = 0;
  unsigned held = 0;
  for (const unsigned char byte : bytes) {
    pending = (pending << 8 | byte) & 0xFFFF;
    held += 8;
    for (; held >= alphabet.bits; held -= alphabet.bits) {
      text += alphabet.digits[pending >> (held - alphabet.bits) & (alphabet.digits.size() - 1)];
    }
  }
  if (held > 0) text += alphabet.digits[pending << (alphabet.bits - held) & (alphabet.digits.size() - 1)];
  while (alphabet.group > 0 && text.size() % alphabet.group != 0) text += '=';
  return text;
}

// Encodes from the back, so that the first digit may stand for fewer bits than the others.
std::string EncodedBase8(std::string_view bytes) {
  const size_t digits = (bytes.size() * 8 + 2) / 3;
  std::string text(digits, '0');
  unsigned pending = 0;
  unsigned held = 0;
  size_t at = digits;
  for (size_t i = bytes.size(); i-- > 0;) {
    pending |= static_cast<unsigned>(static_cast<unsigned char>(bytes[i])) << held;
    for (held += 8; held >= 3; held -= 3, pending >>= 3) text[--at] = static_cast<char>('0' + (pending & 7));
  }
  if (held > 0) text[--at] = static_cast<char>('0' + pending);
  return text;
}

absl::Status NotEncoded(std::string_view name, std::string_view text) {
  return absl::InvalidArgumentError(StrCat("not ", name, ": '", text.substr(0, 100), "'"));
}

bool IsLineBreak(char c) { return c == '\r' || c == '\n' || c == ' ' || c == '\t'; }

// Decodes a text of an alphabet whose digits form groups.
StatusOr<std::string> Decoded(const Alphabet& alphabet, std::string_view text, bool lines = false) {
  std::string bytes;
  unsigned pending = 0;
  unsigned held = 0;
  size_t digits = 0;
  bool filling = false;
  for (const char c : text) {
    if (lines && IsLineBreak(c)) continue;
    ++digits;
    const char letter = alphabet.bits == 4 ? absl::ascii_tolower(static_cast<unsigned char>(c)) : c;
    const size_t digit = alphabet.digits.find(letter);
    filling = filling || (c == '=' && alphabet.group > 0);
    if (filling ? c != '=' : digit == std::string_view::npos) return NotEncoded(alphabet.name, text);
    if (filling) continue;
    pending = (pending << alphabet.bits | static_cast<unsigned>(digit)) & 0xFFFF;
    held += alphabet.bits;
    if (held >= 8) bytes += static_cast<char>(pending >> (held -= 8) & 0xFF);
  }
  const bool whole = alphabet.group == 0 ? held == 0 : digits % alphabet.group == 0 && held < alphabet.bits;
  if (!whole) return NotEncoded(alphabet.name, text);
  return bytes;
}

StatusOr<std::string> DecodedBase16(std::string_view text) {
  return text.size() % 2 == 0 ? Decoded(kBase16, text) : Decoded(kBase16, StrCat("0", text));
}

StatusOr<std::string> DecodedBase2(std::string_view text) {
  std::string padded(text.size() % 8 == 0 ? 0 : 8 - text.size() % 8, '0');
  padded += text;
  return Decoded(kBase2, padded);
}

StatusOr<std::string> DecodedBase8(std::string_view text) {
  std::string bits;
  for (const char c : text) {
    const size_t digit = kBase8.digits.find(c);
    if (digit == std::string_view::npos) return NotEncoded("base8", text);
    for (int bit = 2; bit >= 0; --bit) bits += (digit >> bit & 1) != 0 ? '1' : '0';
  }
  const size_t spare = bits.size() % 8;
  if (bits.substr(0, spare).find('1') != std::string::npos) return NotEncoded("base8", text);
  return Decoded(kBase2, std::string_view(bits).substr(spare));
}

StatusOr<std::string> Ascii(std::string_view text) {
  for (const unsigned char c : text) {
    if (c > 127) return absl::InvalidArgumentError("not ASCII");
  }
  return std::string(text);
}

StatusOr<std::string> Utf8(std::string_view bytes) {
  if (!base::IsValidUtf8(bytes)) return absl::InvalidArgumentError("BYTES that are not UTF-8 can't be a STRING");
  return std::string(bytes);
}

std::string WithLines(const std::string& text) {
  std::string lines;
  for (size_t at = 0; at < text.size(); at += kMimeLine) {
    if (at > 0) lines += '\n';
    lines += text.substr(at, kMimeLine);
  }
  return lines;
}

absl::Status UnknownFormat(std::string_view format) {
  return absl::InvalidArgumentError(
      StrCat("no format between BYTES and STRING: '", format.substr(0, 40),
             "'; it is one of HEX, BASE2, BASE8, BASE16, BASE32, BASE64, BASE64M, ASCII, UTF-8"));
}

StatusOr<std::string> BytesAsText(std::string_view bytes, std::string_view format_text) {
  const std::string format = base::ToLower(format_text);
  if (format == "base2") return Encoded(kBase2, bytes);
  if (format == "base8") return EncodedBase8(bytes);
  if (format == "base16" || format == "hex") return Encoded(kBase16, bytes);
  if (format == "base32") return Encoded(kBase32, bytes);
  if (format == "base64") return Encoded(kBase64, bytes);
  if (format == "base64m") return WithLines(Encoded(kBase64, bytes));
  if (format == "ascii") return Ascii(bytes);
  if (format == "utf8" || format == "utf-8") return Utf8(bytes);
  return UnknownFormat(format_text);
}

StatusOr<std::string> TextAsBytes(std::string_view text, std::string_view format_text) {
  const std::string format = base::ToLower(format_text);
  if (format == "base2") return DecodedBase2(text);
  if (format == "base8") return DecodedBase8(text);
  if (format == "base16" || format == "hex") return DecodedBase16(text);
  if (format == "base32") return Decoded(kBase32, text);
  if (format == "base64") return Decoded(kBase64, text);
  if (format == "base64m") return Decoded(kBase64, text, /*lines=*/true);
  if (format == "ascii") return Ascii(text);
  if (format == "utf8" || format == "utf-8") return std::string(text);
  return UnknownFormat(format_text);
}

absl::Status Give(const StatusOr<std::string>& value, Output& out) {
  return value.ok() ? out.Text(*value) : value.status();
}

// Checks the largest size that an encoding may produce, with a margin: base2 has a character for each bit.
absl::Status CheckEncoding(const Row& in, const Output& out, size_t factor) {
  return out.CheckBytes(in.Text(0).size() * factor);
}

absl::Status BytesToText(const Row& in, Output& out) {
  if (base::EqualsIgnoreCase(in.Text(1), "base2")) LOGQUERY_RETURN_IF_ERROR(CheckEncoding(in, out, 8));
  return Give(BytesAsText(in.Text(0), in.Text(1)), out);
}
absl::Status TextToBytes(const Row& in, Output& out) {
  LOGQUERY_RETURN_IF_ERROR(CheckEncoding(in, out, 1));
  return Give(TextAsBytes(in.Text(0), in.Text(1)), out);
}

absl::Status ToBase32(const Row& in, Output& out) { return out.Text(Encoded(kBase32, in.Text(0))); }
absl::Status FromBase32(const Row& in, Output& out) { return Give(Decoded(kBase32, in.Text(0)), out); }
absl::Status FromHex(const Row& in, Output& out) { return Give(DecodedBase16(in.Text(0)), out); }

// Accepts any text of complete groups, with line breaks anywhere.
absl::Status FromBase64(const Row& in, Output& out) { return Give(Decoded(kBase64, in.Text(0), /*lines=*/true), out); }

absl::Status SafeText(const Row& in, Output& out) {
  LOGQUERY_RETURN_IF_ERROR(CheckEncoding(in, out, 1));
  std::string text;
  base::AppendValidUtf8(in.Text(0), text);
  return out.Text(text);
}

absl::Status StrictText(const Row& in, Output& out) { return Give(Utf8(in.Text(0)), out); }

constexpr FunctionEntry kEntries[] = {
    {"lq_bytes_to_text", "(BYTES, STRING) -> STRING", BytesToText},
    {"lq_text_to_bytes", "(STRING, STRING) -> BYTES", TextToBytes},
    {"lq_to_base32", "(BYTES) -> STRING", ToBase32, "TO_BASE32"},
    {"lq_from_base32", "(STRING) -> BYTES", FromBase32, "FROM_BASE32"},
    {"lq_from_base64", "(STRING) -> BYTES", FromBase64, "FROM_BASE64"},
    {"lq_from_hex", "(STRING) -> BYTES", FromHex, "FROM_HEX"},
    {"lq_bytes_as_string", "(BYTES) -> STRING", StrictText},
    {"lq_safe_bytes_as_string", "(BYTES) -> STRING", SafeText, "SAFE_CONVERT_BYTES_TO_STRING"},
};

}  // namespace

FunctionEntries CodecFunctions() { return kEntries; }

}  // namespace logquery::functions
