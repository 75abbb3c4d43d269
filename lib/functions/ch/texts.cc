// Texts by bytes: positions, parts and ASCII case. A part that cuts a character has U+FFFD in its place, because texts
// of the plan are UTF-8.
#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/ch/ch_lists.h"

namespace logquery::functions {
namespace {

// The part from `start`, which counts from 1, or from the end where it is negative; `length` may be negative, too: then
// so many are left off at the end.
struct Part {
  size_t begin = 0;
  size_t size = 0;
};

Part PartOf(int64_t size, int64_t start, int64_t length) {
  if (start == 0) return {};
  // Positions before the first one count as part of the length.
  const int64_t begin = start > 0 ? start - 1 : size + start;
  int64_t end = size + std::max(length, -size);
  // Written so that no sum overflows.
  if (length >= 0) end = begin >= 0 && length > size - begin ? size : begin + length;
  const int64_t first = std::clamp<int64_t>(begin, 0, size);
  const int64_t last = std::clamp<int64_t>(end, first, size);
  return {static_cast<size_t>(first), static_cast<size_t>(last - first)};
}

// One U+FFFD for each run of bytes that are no UTF-8, as answers have it.
absl::Status Valid(std::string_view bytes, Output& out) {
  if (base::IsValidUtf8(bytes)) return out.TextAsItIs(bytes);
  std::string valid;
  bool in_run = false;
  for (size_t at = 0; at < bytes.size();) {
    const base::CodePoint next = base::DecodeUtf8(bytes, at);
    if (next.valid) valid.append(bytes.substr(at, static_cast<size_t>(next.bytes)));
    if (!next.valid && !in_run) base::AppendUtf8(0xFFFD, valid);
    in_run = !next.valid;
    at += static_cast<size_t>(next.bytes);
  }
  return out.Text(valid);
}

absl::Status Reverse(const Row& in, Output& out) {
  std::string bytes(in.Text(0));
  std::reverse(bytes.begin(), bytes.end());
  return Valid(bytes, out);
}

// The text in single quotes, as it stands in the text of an array.
absl::Status Quoted(const Row& in, Output& out) { return out.Text(ChQuotedText(in.Text(0))); }

absl::Status Substring(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const Part part = PartOf(static_cast<int64_t>(text.size()), in.Int(1), in.Int(2));
  return Valid(text.substr(part.begin, part.size), out);
}

size_t OffsetOf(std::string_view text, size_t characters, size_t from) {
  size_t at = from;
  for (size_t i = 0; i < characters && at < text.size(); ++i)
    at += static_cast<size_t>(base::DecodeUtf8(text, at).bytes);
  return at;
}

absl::Status SubstringUtf8(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const Part part = PartOf(base::CountCodePoints(text), in.Int(1), in.Int(2));
  const size_t begin = OffsetOf(text, part.begin, 0);
  return out.TextAsItIs(text.substr(begin, OffsetOf(text, part.size, begin) - begin));
}

// Searches in linear time: std::string_view::find compares the needle at each place.
size_t Search(std::string_view text, std::string_view needle, size_t from) {
  const void* const found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

int64_t Found(std::string_view text, std::string_view needle, int64_t start) {
  if (start < 0) return 0;
  const auto from = static_cast<uint64_t>(start == 0 ? 0 : start - 1);
  if (from > text.size()) return 0;
  const size_t at = needle.empty() ? from : Search(text, needle, from);
  return at == std::string_view::npos ? 0 : static_cast<int64_t>(at) + 1;
}

absl::Status Position(const Row& in, Output& out) { return out.Int(Found(in.Text(0), in.Text(1), in.Int(2))); }

absl::Status PositionIgnoringCase(const Row& in, Output& out) {
  return out.Int(Found(base::ToLower(in.Text(0)), base::ToLower(in.Text(1)), in.Int(2)));
}

absl::Status AsciiLower(const Row& in, Output& out) { return out.Text(base::ToLower(in.Text(0))); }
absl::Status AsciiUpper(const Row& in, Output& out) { return out.Text(base::ToUpper(in.Text(0))); }

absl::Status ReplaceOne(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const size_t at = in.Text(1).empty() ? std::string_view::npos : Search(text, in.Text(1), 0);
  if (at == std::string_view::npos) return out.TextAsItIs(text);
  return out.Text(base::StrCat(text.substr(0, at), in.Text(2), text.substr(at + in.Text(1).size())));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_reverse", "(STRING) -> STRING", Reverse, "$ch.reverse"},
    {"lq_ch_quoted", "(STRING) -> STRING", Quoted, "$ch.quoted"},
    {"lq_ch_substring", "(STRING, INT64, INT64) -> STRING", Substring, "$ch.substring"},
    {"lq_ch_substring_utf8", "(STRING, INT64, INT64) -> STRING", SubstringUtf8, "$ch.substring_utf8"},
    {"lq_ch_position", "(STRING, STRING, INT64) -> INT64", Position, "$ch.position"},
    {"lq_ch_position_ci", "(STRING, STRING, INT64) -> INT64", PositionIgnoringCase, "$ch.position_ci"},
    {"lq_ch_ascii_lower", "(STRING) -> STRING", AsciiLower, "$ch.ascii_lower"},
    {"lq_ch_ascii_upper", "(STRING) -> STRING", AsciiUpper, "$ch.ascii_upper"},
    {"lq_ch_replace_one", "(STRING, STRING, STRING) -> STRING", ReplaceOne, "$ch.replace_one"},
};

}  // namespace

std::string ChQuotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    switch (c) {
      case '\'':
      case '\\':
        quoted += '\\';
        quoted += c;
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\b':
        quoted += "\\b";
        break;
      case '\f':
        quoted += "\\f";
        break;
      case '\0':
        quoted += "\\0";
        break;
      default:
        quoted += c;
    }
  }
  return quoted + "'";
}

FunctionEntries ChTextFunctions() { return kEntries; }

}  // namespace logquery::functions
