// BYTES functions, of which DuckDB itself has few.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <functional>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/text_search.h"

namespace logquery::functions {
namespace {

using base::StrCat;

absl::Status Lower(const Row& in, Output& out) { return out.Text(base::ToLower(in.Text(0))); }
absl::Status Upper(const Row& in, Output& out) { return out.Text(base::ToUpper(in.Text(0))); }

// Position 0, and one left of the value, mean 1.
absl::Status Substr(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  const auto size = static_cast<int64_t>(bytes.size());
  int64_t position = in.Int(1);
  if (position < -size || position == 0) position = 1;
  if (position < 0) position += size + 1;
  if (position > size) position = size + 1;
  int64_t length = size;
  if (in.size() > 2) {
    if (in.Int(2) < 0) return absl::InvalidArgumentError("SUBSTR: length is negative");
    length = std::min(in.Int(2), size);
  }
  return out.Text(bytes.substr(static_cast<size_t>(position - 1), static_cast<size_t>(length)));
}

absl::Status Left(const Row& in, Output& out) {
  if (in.Int(1) < 0) return absl::InvalidArgumentError("LEFT: the second argument is negative");
  return out.Text(in.Text(0).substr(0, static_cast<size_t>(in.Int(1))));
}

absl::Status Right(const Row& in, Output& out) {
  if (in.Int(1) < 0) return absl::InvalidArgumentError("RIGHT: the second argument is negative");
  const std::string_view bytes = in.Text(0);
  return out.Text(bytes.substr(bytes.size() - std::min(bytes.size(), static_cast<size_t>(in.Int(1)))));
}

absl::Status Trim(const Row& in, Output& out, bool left, bool right) {
  std::string_view bytes = in.Text(0);
  std::bitset<256> set;
  for (const char byte : in.Text(1)) set.set(static_cast<unsigned char>(byte));
  const auto is_trimmed = [&](char byte) { return set.test(static_cast<unsigned char>(byte)); };
  while (left && !bytes.empty() && is_trimmed(bytes.front())) bytes.remove_prefix(1);
  while (right && !bytes.empty() && is_trimmed(bytes.back())) bytes.remove_suffix(1);
  return out.TextAsItIs(bytes);
}

absl::Status TrimBoth(const Row& in, Output& out) { return Trim(in, out, true, true); }
absl::Status TrimLeft(const Row& in, Output& out) { return Trim(in, out, true, false); }
absl::Status TrimRight(const Row& in, Output& out) { return Trim(in, out, false, true); }

// The value filled up, or cut, to a length in bytes.
absl::Status Pad(const Row& in, Output& out, bool left) {
  const std::string_view bytes = in.Text(0);
  const std::string_view pattern = in.Text(2);
  if (in.Int(1) < 0) return absl::InvalidArgumentError(StrCat(left ? "LPAD" : "RPAD", ": the length is negative"));
  if (pattern.empty()) return absl::InvalidArgumentError(StrCat(left ? "LPAD" : "RPAD", ": the pattern is empty"));
  const auto length = static_cast<size_t>(in.Int(1));
  if (bytes.size() >= length) return out.Text(bytes.substr(0, length));
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(length));
  std::string padding;
  while (padding.size() < length - bytes.size()) padding += pattern;
  padding.resize(length - bytes.size());
  return out.Text(left ? StrCat(padding, bytes) : StrCat(bytes, padding));
}

absl::Status LPad(const Row& in, Output& out) { return Pad(in, out, true); }
absl::Status RPad(const Row& in, Output& out) { return Pad(in, out, false); }

absl::Status Reverse(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  return out.Text(std::string(bytes.rbegin(), bytes.rend()));
}

absl::Status StartsWith(const Row& in, Output& out) {
  return out.Bool(in.Text(0).substr(0, in.Text(1).size()) == in.Text(1));
}

absl::Status EndsWith(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  const std::string_view end = in.Text(1);
  return out.Bool(bytes.size() >= end.size() && bytes.substr(bytes.size() - end.size()) == end);
}

absl::Status Ascii(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  return out.Int(bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]));
}

absl::Status ToHex(const Row& in, Output& out) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  LOGQUERY_RETURN_IF_ERROR(out.Charge(in.Text(0).size()));
  std::string digits;
  digits.reserve(2 * in.Text(0).size());
  for (const char c : in.Text(0)) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 15];
  }
  return out.TextAsItIs(digits);
}

absl::Status BitCount(const Row& in, Output& out) {
  int64_t count = 0;
  for (const char byte : in.Text(0)) count += std::popcount(static_cast<unsigned char>(byte));
  return out.Int(count);
}

absl::Status BitNot(const Row& in, Output& out) {
  std::string value(in.Text(0));
  for (char& byte : value) byte = static_cast<char>(~byte);
  return out.TextAsItIs(value);
}

// `Operation` combines two numbers, of which the lowest eight bits count.
template <typename Operation>
absl::Status Bitwise(const Row& in, Output& out) {
  std::string value(in.Text(0));
  const std::string_view other = in.Text(1);
  if (value.size() != other.size()) {
    return absl::InvalidArgumentError(
        StrCat("a bitwise operator takes BYTES of one length, not of ", value.size(), " and ", other.size()));
  }
  for (size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(Operation()(value[i], other[i]));
  return out.TextAsItIs(value);
}

// An empty delimiter splits into single bytes; nothing splits into one empty value.
absl::Status Split(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  const std::string_view delimiter = in.Text(1);
  if (!delimiter.empty()) return out.PartsOf(bytes, PartsBetween(bytes, delimiter));
  TextList parts;
  for (size_t i = 0; i < bytes.size(); ++i) parts.emplace_back(bytes.substr(i, 1));
  if (parts.empty()) parts.emplace_back("");
  return out.PartsOf(bytes, parts);
}

absl::Status ToCodePoints(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  std::vector<int64_t> points;
  points.reserve(bytes.size());
  for (const char byte : bytes) points.push_back(static_cast<unsigned char>(byte));
  return out.NumbersOf(bytes, points);
}

absl::Status Translate(const Row& in, Output& out) {
  const std::string_view from = in.Text(1);
  const std::string_view to = in.Text(2);
  constexpr int kKept = -1, kRemoved = -2;
  std::array<int, 256> table;
  table.fill(kKept);
  for (size_t i = 0; i < from.size(); ++i) {
    int& target = table[static_cast<unsigned char>(from[i])];
    if (target != kKept) return absl::InvalidArgumentError("TRANSLATE: a byte is given twice");
    target = i < to.size() ? static_cast<unsigned char>(to[i]) : kRemoved;
  }
  std::string value;
  for (const char byte : in.Text(0)) {
    const int target = table[static_cast<unsigned char>(byte)];
    if (target != kRemoved) value += target == kKept ? byte : static_cast<char>(target);
  }
  return out.Text(value);
}

// Bits shifted within the value's own size.
absl::Status Shift(const Row& in, Output& out, bool left) {
  const std::string_view bytes = in.Text(0);
  const int64_t bits = in.Int(1);
  if (bits < 0)
    return absl::InvalidArgumentError(StrCat("BYTES ", left ? "<<" : ">>", ": the number of bits is negative"));
  std::string value(bytes.size(), '\0');
  const auto size = static_cast<int64_t>(bytes.size());
  const auto byte_at = [&](int64_t i) -> unsigned {
    return i < 0 || i >= size ? 0U : static_cast<unsigned char>(bytes[static_cast<size_t>(i)]);
  };
  if (bits >= 8 * size) return out.Text(value);
  const int64_t whole = bits / 8;
  const auto rest = static_cast<unsigned>(bits % 8);
  for (int64_t i = 0; i < size; ++i) {
    const unsigned near = byte_at(left ? i + whole : i - whole);
    const unsigned far = byte_at(left ? i + whole + 1 : i - whole - 1);
    value[static_cast<size_t>(i)] =
        static_cast<char>(left ? (near << rest) | (far >> (8 - rest)) : (near >> rest) | (far << (8 - rest)));
  }
  return out.Text(value);
}

absl::Status ShiftLeft(const Row& in, Output& out) { return Shift(in, out, true); }
absl::Status ShiftRight(const Row& in, Output& out) { return Shift(in, out, false); }

// The elements that are not NULL, with a separator between them; in place of NULL what a third argument says.
absl::Status Join(const Row& in, Output& out) {
  std::string value;
  bool first = true;
  for (const std::optional<std::string_view>& element : in.Texts(0)) {
    if (!element.has_value() && in.size() < 3) continue;
    if (!first) value += in.Text(1);
    value += element.has_value() ? *element : in.Text(2);
    first = false;
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(value.size()));
  }
  return out.Text(value);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_bytes_join", "(ARRAY<BYTES>, BYTES) -> BYTES", Join},
    {"lq_bytes_join_nulls", "(ARRAY<BYTES>, BYTES, BYTES) -> BYTES", Join},
    {"lq_join", "(ARRAY<STRING>, STRING) -> STRING", Join},
    {"lq_join_nulls", "(ARRAY<STRING>, STRING, STRING) -> STRING", Join},
    {"lq_bytes_lower", "(BYTES) -> BYTES", Lower, "LOWER"},
    {"lq_bytes_upper", "(BYTES) -> BYTES", Upper, "UPPER"},
    {"lq_bytes_substr", "(BYTES, INT64, INT64) -> BYTES", Substr},
    {"lq_bytes_left", "(BYTES, INT64) -> BYTES", Left, "LEFT"},
    {"lq_bytes_right", "(BYTES, INT64) -> BYTES", Right, "RIGHT"},
    {"lq_bytes_trim", "(BYTES, BYTES) -> BYTES", TrimBoth, "TRIM"},
    {"lq_bytes_ltrim", "(BYTES, BYTES) -> BYTES", TrimLeft, "LTRIM"},
    {"lq_bytes_rtrim", "(BYTES, BYTES) -> BYTES", TrimRight, "RTRIM"},
    {"lq_bytes_lpad", "(BYTES, INT64, BYTES) -> BYTES", LPad},
    {"lq_bytes_rpad", "(BYTES, INT64, BYTES) -> BYTES", RPad},
    {"lq_bytes_reverse", "(BYTES) -> BYTES", Reverse, "REVERSE"},
    {"lq_bytes_starts_with", "(BYTES, BYTES) -> BOOL", StartsWith, "STARTS_WITH"},
    {"lq_bytes_ends_with", "(BYTES, BYTES) -> BOOL", EndsWith, "ENDS_WITH"},
    {"lq_bytes_ascii", "(BYTES) -> INT64", Ascii, "ASCII"},
    {"lq_bytes_to_code_points", "(BYTES) -> ARRAY<INT64>", ToCodePoints, "TO_CODE_POINTS"},
    {"lq_bytes_split", "(BYTES, BYTES) -> ARRAY<BYTES>", Split, "SPLIT"},
    {"lq_to_hex", "(BYTES) -> STRING", ToHex, "TO_HEX"},
    {"lq_bytes_bit_count", "(BYTES) -> INT64", BitCount, "BIT_COUNT"},
    {"lq_bytes_bit_not", "(BYTES) -> BYTES", BitNot, "$bit_not"},
    {"lq_bytes_bit_and", "(BYTES, BYTES) -> BYTES", Bitwise<std::bit_and<int>>, "$bit_and"},
    {"lq_bytes_bit_or", "(BYTES, BYTES) -> BYTES", Bitwise<std::bit_or<int>>, "$bit_or"},
    {"lq_bytes_bit_xor", "(BYTES, BYTES) -> BYTES", Bitwise<std::bit_xor<int>>, "$bit_xor"},
    {"lq_bytes_translate", "(BYTES, BYTES, BYTES) -> BYTES", Translate, "TRANSLATE"},
    {"lq_bytes_shift_left", "(BYTES, INT64) -> BYTES", ShiftLeft, "$shift_left"},
    {"lq_bytes_shift_right", "(BYTES, INT64) -> BYTES", ShiftRight, "$shift_right"},
};

}  // namespace

FunctionEntries BytesFunctions() { return kEntries; }

}  // namespace logquery::functions
