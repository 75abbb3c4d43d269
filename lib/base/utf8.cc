// Decodes code points by the lead byte, and skips runs of ASCII eight bytes at a time.
#include "lib/base/utf8.h"

#include "lib/base/swar.h"

namespace logquery::base {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the run of ASCII at the beginning of `text`. Eight bytes at a time: nearly all text is ASCII.
size_t AsciiPrefix(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    const uint64_t marks = LoadWord(text.data() + i) & kHighBits;
    if (marks != 0) return i + FirstMark(marks);
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i;
}

struct LeadByte {
  int bytes;                 // of the whole sequence; 0: not the beginning of one
  unsigned char second_low;  // the range that the second byte has to be in
  unsigned char second_high;
};

LeadByte ClassifyLead(unsigned char lead) {
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text, size_t offset) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const LeadByte lead = ClassifyLead(byte(0));
  if (lead.bytes == 0) return {};
  char32_t value = byte(0) & (0x7F >> lead.bytes);
  for (int i = 1; i < lead.bytes; ++i) {
    if (offset + i >= text.size()) return {0xFFFD, i, false};
    const unsigned char low = i == 1 ? lead.second_low : 0x80;
    const unsigned char high = i == 1 ? lead.second_high : 0xBF;
    if (byte(i) < low || byte(i) > high) return {0xFFFD, i, false};
    value = (value << 6) | (byte(i) & 0x3F);
  }
  return {value, lead.bytes, true};
}

bool IsAscii(std::string_view text) {
  uint64_t seen = 0;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) seen |= LoadWord(text.data() + i);
  for (; i < text.size(); ++i) seen |= static_cast<unsigned char>(text[i]);
  return (seen & kHighBits) == 0;
}

bool IsValidUtf8(std::string_view text) {
  size_t i = AsciiPrefix(text);
  while (i < text.size()) {
    const CodePoint point = DecodeUtf8(text, i);
    if (!point.valid) return false;
    i += point.bytes;
    if (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) i += AsciiPrefix(text.substr(i));
  }
  return true;
}

int64_t CountCodePoints(std::string_view text) {
  size_t i = AsciiPrefix(text);
  auto count = static_cast<int64_t>(i);
  while (i < text.size()) {
    i += DecodeUtf8(text, i).bytes;
    const size_t ascii = AsciiPrefix(text.substr(i));
    i += ascii;
    count += 1 + static_cast<int64_t>(ascii);
  }
  return count;
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0 | (code_point >> 6));
    push(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    push(0xE0 | (code_point >> 12));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  } else {
    push(0xF0 | (code_point >> 18));
    push(0x80 | ((code_point >> 12) & 0x3F));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  }
}

void AppendValidUtf8(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size();) {
    const size_t ascii = AsciiPrefix(text.substr(i));
    out.append(text.substr(i, ascii));
    i += ascii;
    if (i == text.size()) return;
    const CodePoint point = DecodeUtf8(text, i);
    out.append(point.valid ? text.substr(i, point.bytes) : kReplacement);
    i += point.bytes;
  }
}

}  // namespace logquery::base
