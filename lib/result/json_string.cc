// Copies runs of plain bytes eight at a time, and escapes the others one by one.
#include "lib/result/json_string.h"

#include <array>
#include <cstdint>

#include "lib/base/swar.h"
#include "lib/base/utf8.h"
#include "logquery/row_encoder.h"

namespace logquery {
namespace result {
namespace {

// Bytes that need no escape: ASCII except controls, quote and backslash.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain = {};
  for (int c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Marks the bytes that are not plain (see swar.h).
uint64_t MarkNotPlain(uint64_t word) {
  const uint64_t control = word - base::kEveryByte * 0x20;
  return ((word | control) & base::kHighBits) | base::MarkByte(word, '"') | base::MarkByte(word, '\\');
}

// Copies eight bytes; returns how many of them, from the first on, are plain.
size_t CopyWord(const char* from, char* to) {
  const uint64_t marks = MarkNotPlain(base::LoadWord(from));
  std::memcpy(to, from, 8);
  return marks == 0 ? 8 : base::FirstMark(marks);
}

// Copies the plain beginning of `text` to `to`, which must have room for all of `text`, and returns its length. The
// rest of `to` is undefined.
size_t CopyPlain(std::string_view text, char* to) {
  if (text.size() < 8) {
    size_t i = 0;
    for (; i < text.size() && kPlain[static_cast<unsigned char>(text[i])]; ++i) to[i] = text[i];
    return i;
  }
  const size_t last = text.size() - 8;
  for (size_t i = 0; i < last; i += 8) {
    const size_t plain = CopyWord(text.data() + i, to + i);
    if (plain < 8) return i + plain;
  }
  // The last eight overlap those before.
  return last + CopyWord(text.data() + last, to + last);
}

void WriteEscaped(unsigned char byte, Output& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  switch (byte) {
    case '"':
      return out.Append("\\\"");
    case '\\':
      return out.Append("\\\\");
    case '\b':
      return out.Append("\\b");
    case '\f':
      return out.Append("\\f");
    case '\n':
      return out.Append("\\n");
    case '\r':
      return out.Append("\\r");
    case '\t':
      return out.Append("\\t");
    default:
      const char escaped[] = {'\\', 'u', '0', '0', kDigits[byte >> 4], kDigits[byte & 15]};
      return out.Append(std::string_view(escaped, sizeof(escaped)));
  }
}

// Writes from where the plain beginning ends.
void WriteRest(std::string_view text, Output& out) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    size_t used = 1;
    if (byte >= 0x80) {
      const base::CodePoint point = base::DecodeUtf8(text, 0);
      used = static_cast<size_t>(point.bytes);
      out.Append(point.valid ? text.substr(0, used) : std::string_view("\xEF\xBF\xBD"));
    } else {
      WriteEscaped(byte, out);
    }
    text.remove_prefix(used);
    char* const to = out.Reserve(text.size());
    const size_t plain = CopyPlain(text, to);
    out.SetEnd(to + plain);
    text.remove_prefix(plain);
  }
}

}  // namespace

void WriteJsonString(std::string_view text, Output& out) {
  char* const begin = out.Reserve(text.size() + 2);
  *begin = '"';
  const size_t plain = CopyPlain(text, begin + 1);
  char* const end = begin + 1 + plain;
  if (plain == text.size()) {
    *end = '"';
    return out.SetEnd(end + 1);
  }
  out.SetEnd(end);
  WriteRest(text.substr(plain), out);
  out.Append('"');
}

}  // namespace result

void AppendJsonString(std::string_view text, std::string& out) {
  std::string quoted;
  {
    result::Output output(quoted);
    result::WriteJsonString(text, output);
  }
  out += quoted;
}

}  // namespace logquery
